import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { keys } from './ceph.ts'
import { needing } from './needing.ts'
import { evening } from './party.ts'
import { jpeg } from './pictures.ts'
import { envOf, s3AtHand, s3Place } from './s3.ts'
import { openProxy } from './s3-proxy.ts'
import { s3 } from './tools.ts'

needing(s3).describe('the service with a bucket', () => {
  test('a start without the bucket serves everything but files, and files once it is back', async () => {
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

  test('a silent bucket is a 503 within 15 s, for uploads and downloads', {
    tags: 'slow',
  }, async () => {
    const place = await s3Place()
    const proxy = await openProxy(place.endpoint as string)
    const app = await openTestApp({}, { env: envOf({ ...place, endpoint: proxy.endpoint }) })
    const olivia = await enter(app, 'olivia')
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    const send = async (width: number) =>
      olivia.api.gallery.uploadPhoto({ event_id, image: new Blob([await jpeg({ width })]) })
    const { event_photo_url } = await send(300)
    const film = await s3AtHand({ ...place, endpoint: proxy.endpoint })
    proxy.fail('hang', 100_000)
    const began = performance.now()
    const [sent, read, large] = await Promise.all([
      send(301).catch(error => error.status),
      fetch(event_photo_url).then(({ status }) => status),
      film.put(randomBytes(17_000_000)).catch(error => error.name),
    ])
    expect(performance.now() - began).toBeLessThan(15_000)
    expect([sent, read, large]).toEqual([503, 503, 'StorageFailed'])
    proxy.heal()
    await film.end()
    expect((await fetch(event_photo_url)).status).toBe(200)
    await proxy.close()
  })

  test('credentials are found where the AWS client looks for them: a role of a container', async () => {
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
