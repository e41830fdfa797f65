import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { eraseDue } from '../../../test/erase-due.ts'
import { filmTool, hasFfmpeg, iphoneMov, mp4, place, watch } from '../../../test/films.ts'
import { needing } from '../../../test/needing.ts'
import { bringIn, party } from '../../../test/party.ts'
import { jpegSegment } from '../../../test/picture-blocks.ts'
import { jpeg } from '../../../test/pictures.ts'
import { raw } from '../../../test/raw.ts'
import { ffmpeg } from '../../../test/tools.ts'
import { addressOf, sessionIn, tusFor } from '../../../test/tus.ts'
import { filesIn } from '../../../test/zips.ts'
import { brokenInvariants } from '../../invariants/invariants.ts'

const app = await openTestApp({}, hasFfmpeg ? { video: await filmTool() } : {})
const { olivia, gus, asha, event } = await party(app)
const event_id = event.id
await bringIn(olivia, event_id, asha)
afterAll(async () => expect(await brokenInvariants(app.db, app.storage)).toEqual([]))

const blob = (bytes: Buffer, name: string) => new File([new Uint8Array(bytes)], name)
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const get = async (url: string | undefined) => Buffer.from(await (await fetch(url ?? '')).arrayBuffer())
const seen = (id: string, by = olivia) => by.extra.gallery.readPhoto({ event_photo_id: Number(id) })
const moving = (id: string) =>
  vi.waitFor(
    async () => {
      const photo = await seen(id)
      expect(photo.extra?.motion_url).not.toBeNull()
      return photo
    },
    { timeout: 60_000, interval: 100 },
  )
let seed = 7000
const still = () => jpeg({ width: 96, height: 64, seed: seed++ })
const cr2 = async () => raw('cr2', { preview: await still() })

describe('a RAW beside a JPEG', () => {
  test('is one photo: the JPEG for everybody, the RAW for its uploader and organizers', async () => {
    const [image, beside] = [await still(), await cr2()]
    const files = { image: blob(image, 'DSC_1.JPG'), raw: blob(beside, 'DSC_1.CR2') }
    const { id } = await gus.extra.gallery.uploadPhoto({ event_id, ...files })
    const { raw: mine } = (await seen(id, gus)).extra ?? {}
    expect(mine).toMatchObject({ name: 'DSC_1.cr2', bytes: beside.length, type: 'image/x-canon-cr2' })
    for (const who of [gus, olivia]) expect(sumOf(await get((await seen(id, who)).extra?.raw?.url))).toBe(sumOf(beside))
    const others = await seen(id, asha)
    expect(others.extra?.raw).toBeNull()
    expect(sumOf(await get(others.event_photo_url))).toBe(sumOf(image))
    // Uploading either of them again returns that photo.
    for (const again of [image, beside])
      expect((await gus.extra.gallery.uploadPhoto({ event_id, image: blob(again, 'x') })).id).toBe(id)
    const { known } = await gus.api.gallery.checkUploads({ event_id, sha256: [sumOf(image), sumOf(beside)] })
    expect(known).toHaveLength(2)
  })

  test('is added to an earlier JPEG, by a session as well, and only by its uploader', async () => {
    const [image, beside] = [await still(), await cr2()]
    const { id } = await gus.extra.gallery.uploadPhoto({ event_id, image: blob(image, 'DSC_2.JPG') })
    const both = { event_id, image: blob(image, 'DSC_2.JPG'), raw: blob(beside, 'DSC_2.CR2') }
    await asha.extra.gallery.uploadPhoto(both)
    expect((await seen(id)).extra?.raw).toBeNull()
    const tus = tusFor(app.url, gus)
    const at = await addressOf(tus.open(beside.length, { event_id, kind: 'raw' }))
    expect((await tus.patch(at, 0, beside)).status).toBe(204)
    const again = await gus.extra.gallery.uploadPhoto({ event_id, image: both.image, raw_session_id: sessionIn(at) })
    expect([again.id, again.extra?.upload?.was_there]).toEqual([id, true])
    expect((await seen(id)).extra?.raw).toMatchObject({ bytes: beside.length })
  })

  test('is refused if the file is no RAW', async () => {
    const files = { image: blob(await still(), 'DSC_3.JPG'), raw: blob(await still(), 'DSC_3.CR2') }
    await expect(gus.api.gallery.uploadPhoto({ event_id, ...files })).rejects.toMatchObject({
      fields: { raw: ['The raw field must be a file of type: cr2, cr3, nef, arw, dng, raf, orf, rw2.'] },
    })
    const live = { image: files.image, live: blob(await still(), 'IMG_1.MOV') }
    await expect(gus.api.gallery.uploadPhoto({ event_id, ...live })).rejects.toMatchObject({ status: 400 })
  })
})

needing(ffmpeg).describe('the video part of a picture', () => {
  test('of a Live Photo plays for everybody, without its location; the picture stays free of it', async () => {
    const [image, film] = [await still(), await iphoneMov()]
    const files = { image: blob(image, 'IMG_1.JPG'), live: blob(film, 'IMG_1.MOV') }
    const { id } = await gus.extra.gallery.uploadPhoto({ event_id, ...files })
    const photo = await moving(id)
    expect([photo.extra?.video, sumOf(await get(photo.event_photo_url))]).toEqual([false, sumOf(image)])
    const reply = await fetch(photo.extra?.motion_url ?? '')
    expect(reply.headers.get('content-type')).toBe('video/mp4')
    const played = Buffer.from(await reply.arrayBuffer())
    expect(film.includes(place)).toBe(true)
    expect(played.includes(place)).toBe(false)
    expect((await watch(played)).streams.some(({ codec_name }) => codec_name === 'h264')).toBe(true)

    // Its uploader and organizers get the original.
    const { live } = (await seen(id, gus)).extra ?? {}
    expect(live).toMatchObject({ name: 'IMG_1.mov', bytes: film.length, type: 'video/quicktime' })
    for (const who of [gus, olivia]) expect(sumOf(await get((await seen(id, who)).extra?.live?.url))).toBe(sumOf(film))
    expect((await seen(id, asha)).extra?.live).toBeNull()
    // The album's zip has it beside its picture.
    const inZip = async (who: typeof gus) => {
      const { download_url } = await who.api.gallery.linkAlbum({ event_id, event_photo_ids: [Number(id)] })
      const files = await filesIn(await get(download_url))
      const of = (ending: string) => files.find(({ name }) => name.endsWith(ending))?.content
      return { names: files.map(({ name }) => name.replace(/^.*\./, '')), mov: of('.mov'), mp4: of('.mp4') }
    }
    for (const who of [gus, olivia]) {
      const { names, mov } = await inZip(who)
      expect([names, sumOf(mov ?? Buffer.alloc(0))]).toEqual([['jpg', 'mov'], sumOf(film)])
    }
    const { names, mp4: plays } = await inZip(asha)
    expect([names, plays?.includes(place), sumOf(plays ?? Buffer.alloc(0))]).toEqual([
      ['jpg', 'mp4'],
      false,
      sumOf(played),
    ])
    const shown = await asha.api.gallery.linkAlbum({ event_id, event_photo_ids: [Number(id)], size: 'shown' })
    expect(await filesIn(await get(shown.download_url))).toHaveLength(1)
    expect(shown.download_photos_count).toBe(1)
  })

  test('of a motion photo is found within it, and an invalid one leaves the picture unchanged', async () => {
    const film = await mp4()
    const withFilm = (bytes: Buffer, picture: Buffer) => {
      const xmp = `http://ns.adobe.com/xap/1.0/\0<x GCamera:MicroVideoOffset="${bytes.length}"/>`
      return Buffer.concat([picture.subarray(0, 2), jpegSegment(0xe1, Buffer.from(xmp)), picture.subarray(2), bytes])
    }
    const { id } = await gus.extra.gallery.uploadPhoto({
      event_id,
      image: blob(withFilm(film, await still()), 'MV.jpg'),
    })
    const photo = await moving(id)
    expect((await watch(await get(photo.extra?.motion_url ?? ''))).streams[0]?.codec_name).toBe('h264')
    expect((await get(photo.event_photo_url)).includes('ftyp')).toBe(false)
  })

  test('stays when its owner leaves, and its original is removed', async () => {
    const files = { image: blob(await still(), 'IMG_2.JPG'), live: blob(await iphoneMov(), 'IMG_2.MOV') }
    const { id } = await asha.extra.gallery.uploadPhoto({ event_id, ...files })
    await moving(id)
    await asha.api.privacy.deleteAccount({ user_password: asha.password })
    await sql`update users set erase_at = now() where id = ${asha.id}`.execute(app.db)
    await eraseDue(app)
    const photo = await seen(id)
    expect((await get(photo.extra?.motion_url ?? '')).length).toBeGreaterThan(1000)
    const { rows } = await sql<{ names: string[] }>`
      select array(select jsonb_object_keys(m.variants) order by 1) as names
      from photos p join media m on m.id = p.media_id where p.id = ${id}`.execute(app.db)
    expect(rows[0]?.names).toEqual(['display', 'motion', 'preview'])
  })
})
