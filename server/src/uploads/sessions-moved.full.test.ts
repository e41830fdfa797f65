import { createHash } from 'node:crypto'
import { uploadPhoto } from '@afterglow/sdk/upload'
import { expect, test } from 'vitest'
import { enter } from '../../test/cast.ts'
import { openCuttingProxy } from '../../test/cutting-proxy.ts'
import { later } from '../../test/later.ts'
import { needing } from '../../test/needing.ts'
import { openNodes } from '../../test/nodes.ts'
import { evening } from '../../test/party.ts'
import { padded } from '../../test/picture-blocks.ts'
import { jpeg } from '../../test/pictures.ts'
import { invalid, refusal } from '../../test/refused.ts'
import { envOf, s3Place } from '../../test/s3.ts'
import { s3 } from '../../test/tools.ts'
import { addressOf, sessionIn, tusFor } from '../../test/tus.ts'
import { whenDone } from '../../test/when-done.ts'
import { openDatabase } from '../platform/database/database.ts'

const megabyte = 1024 * 1024
const picture = await jpeg({ width: 320, height: 240 })
const large = () => new Uint8Array(padded(picture, 9 * megabyte))
const env = { PHOTOS_PER_GUEST: '2' }

needing(s3).describe('an instance that moves to S3', () => {
  test('loses the bytes of an unfinished upload, says so, frees its place, and the SDK starts over by itself', {
    timeout: 240_000,
  }, async () => {
    const { first, again, databaseUrl } = await openNodes(env)
    const db = openDatabase(databaseUrl, { connections: 1 })
    whenDone(() => db.destroy())
    let node = first
    const olivia = await enter(node, 'olivia')
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    let moved = false
    // Once cut, the connection fails until the service is back.
    const leadsTo = () => (moved || proxy.cuts() === 0 ? Number(new URL(node.url).port) : 1)
    const proxy = await openCuttingProxy(leadsTo, [6 * megabyte])
    const bytes = large()
    const whole = await addressOf(tusFor(node.url, olivia).open(bytes.length, { event_id, kind: 'image' }))
    expect((await tusFor(node.url, olivia).patch(whole, 0, Buffer.from(bytes))).status).toBe(204)

    const image = large()
    const uploading = later(
      uploadPhoto(
        { baseUrl: proxy.url, token: olivia.token },
        { event_id, image },
        { retryDelays: Array(300).fill(100) },
      ),
    )
    await expect.poll(() => proxy.cuts()).toBe(1)
    await node.kill()
    node = await again(node, { ...envOf(await s3Place()), STORAGE_FROM: 'disk' })
    moved = true
    const photo = await uploading
    const row = await db
      .selectFrom('photos')
      .innerJoin('media', 'media.id', 'photos.media_id')
      .select('original_sha256')
      .where('photos.id', '=', Number(photo.id))
      .executeTakeFirstOrThrow()
    expect(row.original_sha256).toBe(createHash('sha256').update(image).digest('hex'))

    const api = node.as(olivia.token).gallery
    expect(await refusal(api.uploadPhoto({ event_id, image_session_id: sessionIn(whole) }))).toEqual(
      invalid('image_session_id', 'The selected image session id is invalid.'),
    )
    // Only the photo still takes a place: the reservations of the lost sessions would have refused this upload.
    await uploadPhoto({ baseUrl: node.url, token: olivia.token }, { event_id, image: large() })
    const left = await db.selectFrom('upload_sessions').select('photo_id').execute()
    expect(left.map(({ photo_id }) => photo_id === null)).toEqual([false, false])
    await proxy.close()
  })
})
