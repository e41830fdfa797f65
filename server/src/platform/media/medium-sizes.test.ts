import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import type { Member } from '../../../test/cast.ts'
import { evening, party } from '../../../test/party.ts'
import { jpeg, webp } from '../../../test/pictures.ts'
import { brokenInvariants } from '../../invariants/invariants.ts'

const app = await openTestApp()
const { olivia, gus, event } = await party(app)
const event_id = event.id
afterAll(async () => expect(await brokenInvariants(app.db, app.storage)).toEqual([]))

let seed = 4000
const upload = async (by: Member, picture: Buffer | Promise<Buffer>, name = 'DSC_1.JPG') => {
  const image = new File([new Uint8Array(await picture)], name)
  const { extra, id } = await by.extra.gallery.uploadPhoto({ event_id, image })
  return { id, screen: extra?.screen_url ?? '' }
}
const large = (wish: object = {}) => jpeg({ width: 2000, height: 1500, seed: seed++, ...wish })
const get = async (url: string) => {
  const reply = await fetch(url)
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    bytes: Buffer.from(await reply.arrayBuffer()),
  }
}
const mediaOf = (url: string) => Number(/\/media\/(\d+)\//.exec(url)?.[1])
const variantsOf = async (url: string) => {
  const { rows } = await sql<{ names: string[] }>`
    select array(select jsonb_object_keys(variants)) as names from media where id = ${mediaOf(url)}`.execute(app.db)
  return rows[0]?.names ?? []
}
const jobsLeft = async () => {
  const { rows } = await sql`
    select from jobs where task = 'makeMedium'`.execute(app.db)
  return rows.length
}
const made = () => vi.waitFor(async () => expect(await jobsLeft()).toBe(0), { timeout: 60_000, interval: 100 })

describe('the medium size', () => {
  test('a photo’s JPEG is a third smaller, and its AVIF another third, without metadata', {
    tags: 'slow',
  }, async () => {
    const { screen } = await upload(gus, large({ gps: true, orientation: 6 }))
    const display = await get(screen)
    const urls = [`${screen}&w=1280`, `${screen}&w=1280&as=avif`] as const
    await made()
    const [asJpeg, asAvif] = await Promise.all(urls.map(get))
    expect([asJpeg?.type, asAvif?.type]).toEqual(['image/jpeg', 'image/avif'])
    expect(asJpeg?.bytes.length).toBeLessThan((display.bytes.length * 2) / 3)
    expect(asAvif?.bytes.length).toBeLessThan(((asJpeg?.bytes.length ?? 0) * 2) / 3)
    for (const { bytes } of [asJpeg, asAvif].filter(each => each !== undefined)) {
      const { width, height, exif, xmp, icc, orientation } = await sharp(bytes).metadata()
      expect({ width, height, exif, xmp, icc, orientation: orientation ?? 1 }).toMatchObject({
        width: 960,
        height: 1280,
        exif: undefined,
        xmp: undefined,
        orientation: 1,
      })
    }
    expect((await get(`${screen}&w=900`)).bytes.length).toBe(display.bytes.length)
    expect((await get(urls[1].replace(/s=./, 's=*'))).status).toBe(404)
  })

  test('a chat’s picture has a medium size as well', { tags: 'slow' }, async () => {
    const { group_chat_id } = event
    const attachments = [new Blob([new Uint8Array(await large())])]
    const message = await gus.extra.chats.saveMessage({ group_chat_id, message_content: 'Look', attachments })
    await made()
    const { type, bytes } = await get(`${message.attachments[0]?.extra?.screen_url}&w=1280&as=avif`)
    expect([type, (await sharp(bytes).metadata()).width]).toEqual(['image/avif', 1280])
  })

  test('the display size stands in until a medium one is made, and where that saves nothing', {
    tags: 'slow',
  }, async () => {
    const small = await upload(gus, jpeg({ width: 1400, height: 900, seed: seed++ }))
    const clear = await upload(gus, webp({ width: 1800, height: 1200, transparent: true, seed: seed++ }))
    const grainy = await upload(gus, large({ grain: 60 }))
    await made()
    for (const { screen } of [small, clear]) expect(await get(`${screen}&w=1280&as=avif`)).toEqual(await get(screen))
    // Grain is what AVIF is worst at.
    expect(await variantsOf(grainy.screen)).toEqual(expect.not.arrayContaining(['medium-avif']))
    expect((await get(`${grainy.screen}&w=1280&as=avif`)).type).toBe('image/jpeg')
  })

  test('a hidden or deleted photo’s medium size opens to nobody', { tags: 'slow' }, async () => {
    const { id, screen } = await upload(gus, large())
    await made()
    const link = `${screen}&w=1280&as=avif`
    expect((await get(link)).status).toBe(200)
    await olivia.api.gallery.hidePhoto({ event_photo_id: Number(id) })
    expect((await get(link)).status).toBe(404)
  })

  test('an event’s picture comes within 1280, 640 and 400 px by one link, as large as a list needs it', {
    tags: 'slow',
  }, async () => {
    const event_avatar = new Blob([new Uint8Array(await large())])
    const { event_avatar_url: url } = await olivia.api.events.saveEvent(evening({ event_avatar }))
    await made()
    const widthOf = async (size: string) => (await sharp((await get(url + size)).bytes).metadata()).width
    expect(await Promise.all(['', '&w=1280', '&w=640', '&w=400', '&w=41'].map(widthOf))).toEqual([
      2000, 1280, 640, 400, 2000,
    ])
  })

  test('a request above an avatar’s small size gets the large one', async () => {
    const profile_picture = new Blob([new Uint8Array(await large())])
    const { user_avatar_url: url } = await gus.api.accounts.stageAvatar({ profile_picture })
    for (const size of ['&w=640', '&w=400', '&w=1280']) expect(await get(url + size)).toEqual(await get(url))
    expect((await sharp((await get(url)).bytes).metadata()).width).toBe(512)
  })

  test('a medium size is not made of a deleted photo, nor beyond its owner’s quota', {
    tags: 'slow',
  }, async () => {
    const gone = await upload(gus, large())
    await gus.api.gallery.deletePhoto({ event_photo_id: Number(gone.id) })
    const full = await upload(olivia, large())
    await sql`update stored_bytes set bytes = bytes + 1e15 where user_id = ${olivia.id}`.execute(app.db)
    await made()
    await sql`update stored_bytes set bytes = bytes - 1e15 where user_id = ${olivia.id}`.execute(app.db)
    for (const { screen } of [gone, full])
      expect(await variantsOf(screen)).toEqual(expect.not.arrayContaining(['medium']))
  })
})
