import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { needing } from './needing.ts'
import { openNginx, proxyAddress } from './nginx.ts'
import { bringIn, evening } from './party.ts'
import { jpeg } from './pictures.ts'
import { nginx } from './tools.ts'

/** The location block as operators copy it. */
const [, documented = ''] =
  /### Files sent by nginx.*?```nginx\n(.*?)```/s.exec(
    readFileSync(new URL('../../docs/operators.md', import.meta.url), 'utf8'),
  ) ?? []

needing(nginx).describe('behind an nginx that sends stored files itself', async () => {
  const app = await openTestApp({}, { env: { MEDIA_X_ACCEL: '/stored', TRUSTED_PROXIES: proxyAddress } })
  const nginx = await openNginx(app.url, {
    more: documented.replace('/var/lib/afterglow/media/', `${join(app.dataDir, 'media')}/`),
  })
  const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  const image = new Blob([new Uint8Array(await jpeg({ width: 900, height: 600 }))])
  const photo = await olivia.api.gallery.uploadPhoto({ event_id, image })

  /** The URL, at the service itself and through nginx. */
  const through = (url: string) => url.replace(app.url, nginx.url)

  test('files arrive whole, in parts, by HEAD, and only when changed, as from the service itself', async () => {
    for (const url of [photo.event_photo_preview_url, photo.event_photo_url]) {
      const [direct, sent] = await Promise.all([fetch(url), fetch(through(url))])
      const bytes = Buffer.from(await direct.arrayBuffer())
      expect(sent.status).toBe(200)
      expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true)
      for (const name of ['content-type', 'content-length', 'content-disposition', 'accept-ranges'])
        expect([name, sent.headers.get(name)]).toEqual([name, direct.headers.get(name)])
      for (const name of ['x-content-type-options', 'content-security-policy', 'cross-origin-resource-policy'])
        expect([name, sent.headers.get(name)]).toEqual([name, direct.headers.get(name)])
      expect(sent.headers.get('cache-control')).toMatch(/^private, max-age=\d+, immutable$/)
      expect([sent, direct].map(({ headers }) => headers.get('x-accel-redirect'))).toEqual([null, null])

      const part = await fetch(through(url), { headers: { range: 'bytes=10-19' } })
      expect(part.status).toBe(206)
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true)
      const head = await fetch(through(url), { method: 'HEAD' })
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
      const etag = sent.headers.get('etag') ?? ''
      expect((await fetch(through(url), { headers: { 'if-none-match': etag } })).status).toBe(304)
    }
  })

  test('files are only reachable by a valid signed URL', async () => {
    const preview = through(photo.event_photo_preview_url)
    const wrong = preview.replace(/s=./, 's=*')
    expect((await fetch(wrong)).status).toBe(404)
    expect((await fetch(`${nginx.url}/stored/aa/bb/${'a'.repeat(64)}`)).status).toBe(404)
    const his = await gus.api.gallery.readPhoto({ event_photo_id: Number(photo.id) })
    expect((await fetch(through(his.event_photo_preview_url))).status).toBe(200)
    await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
    await expect.poll(async () => (await fetch(through(his.event_photo_preview_url))).status).toBe(404)
  })
})
