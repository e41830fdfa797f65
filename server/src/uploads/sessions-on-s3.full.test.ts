import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { enter } from '../../test/cast.ts'
import { needing } from '../../test/needing.ts'
import { openNodes } from '../../test/nodes.ts'
import { evening } from '../../test/party.ts'
import { padded } from '../../test/picture-blocks.ts'
import { jpeg } from '../../test/pictures.ts'
import { envOf, s3Place } from '../../test/s3.ts'
import { s3 } from '../../test/tools.ts'
import { addressOf, sessionIn, tusFor } from '../../test/tus.ts'

needing(s3).describe('on S3', () => {
  test('an upload started at one machine continues at another, after the first was killed, and is used there', async () => {
    const { first, another } = await openNodes(envOf(await s3Place()))
    const second = await another()
    const olivia = await enter(first, 'olivia')
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    const bytes = padded(await jpeg({ width: 320, height: 240 }), 20 * 1024 * 1024)
    const half = bytes.length >> 1
    const at = await addressOf(tusFor(first.url, olivia).open(bytes.length, { event_id, kind: 'image' }))
    const there = `${second.url}/api/gallery/upload/session/${sessionIn(at)}`
    expect((await tusFor(first.url, olivia).patch(at, 0, bytes.subarray(0, half))).status).toBe(204)
    await first.kill()
    expect((await tusFor(second.url, olivia).head(there)).headers.get('upload-offset')).toBe(String(half))
    expect((await tusFor(second.url, olivia).patch(there, half, bytes.subarray(half))).status).toBe(204)
    const api = second.as(olivia.token).gallery
    const photo = await api.uploadPhoto({ event_id, image_session_id: sessionIn(at) })
    const { known } = await api.checkUploads({ event_id, sha256: [createHash('sha256').update(bytes).digest('hex')] })
    expect(known.map(({ event_photo_id }) => String(event_photo_id))).toEqual([photo.id])
    const { download_url } = await api.linkAlbum({ event_id })
    const zip = Buffer.from(await (await fetch(download_url)).arrayBuffer())
    expect(zip.includes(bytes.subarray(half, half + 1000))).toBe(true)
  })
})
