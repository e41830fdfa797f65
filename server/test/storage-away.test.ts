import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { keys } from './ceph.ts'
import { evening } from './party.ts'
import { jpeg } from './pictures.ts'
import { envOf, hasS3, s3AtHand, s3Place } from './s3.ts'
import { openProxy } from './s3-proxy.ts'

describe.skipIf(!hasS3)('with a bucket', () => {
  test('a start while it is away serves everything but files, and files once it is back', async () => {
    const place = await s3Place()
    const before = await openProxy(place.endpoint as string)
    await before.close()
    const app = await openTestApp({}, { env: envOf({ ...place, endpoint: before.endpoint }) })
    const olivia = await enter(app, 'olivia')
    const event = await olivia.api.events.saveEvent(evening())
    const { id } = await olivia.api.chats.saveMessage({
      group_chat_id: event.group_chat_id,
      message_content: 'Are we there yet?',
    })
    expect(id).toMatch(/^\d+$/)
    const upload = async () => olivia.api.gallery.uploadPhoto({ event_id: event.id, image: new Blob([await jpeg()]) })
    expect(await upload().catch(error => error)).toMatchObject({
      status: 503,
      body: { message: 'Service Unavailable' },
      retryAfterSeconds: expect.any(Number),
    })
    const back = await openProxy(place.endpoint as string, { at: Number(new URL(before.endpoint).port) })
    const { event_photo_url } = await upload()
    expect((await fetch(event_photo_url)).status).toBe(200)
    await back.close()
  })

  test('keys are found where the AWS client looks for them: a role that a container is given', async () => {
    const role = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          AccessKeyId: keys.accessKeyId,
          SecretAccessKey: keys.secretAccessKey,
          Token: '',
          Expiration: new Date(Date.now() + 3_600_000),
        }),
      ),
    )
    await new Promise<void>(resolve => role.listen(0, '127.0.0.1', resolve))
    process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI = `http://127.0.0.1:${(role.address() as AddressInfo).port}/role`
    try {
      const at = await s3AtHand({ ...(await s3Place()), keys: null })
      const bytes = Buffer.from('by a role')
      expect(await at.bytesOf(await at.put(bytes))).toEqual(bytes)
      await at.end()
    } finally {
      delete process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI
      role.close()
    }
  })
})
