import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { eraseDue } from '../../test/erase-due.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { padded, planted } from '../../test/picture-blocks.ts'
import { apart, jpeg } from '../../test/pictures.ts'
import { type RawKind, raw, rawKinds, tiffBomb } from '../../test/raw.ts'
import { addressOf, sessionIn, tusFor } from '../../test/tus.ts'
import { filesIn } from '../../test/zips.ts'
import { brokenInvariants } from '../invariants/invariants.ts'

const megabyte = 1024 * 1024
// Smaller than any RAW here, which has a limit of its own.
const app = await openTestApp({ photoBytesMax: megabyte / 4, rawBytesMax: 32 * megabyte })
const { olivia, gus, asha, sam, event } = await party(app)
const event_id = event.id
const word = 'Rumpelstilzchen'
afterAll(async () => expect(await brokenInvariants(app.db, app.storage)).toEqual([]))

const get = async (url = '') => Buffer.from(await (await fetch(url)).arrayBuffer())
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const pixelsOf = async (file: Buffer) => sumOf(await sharp(file).autoOrient().raw().toBuffer())
const seenBy = ({ extra }: typeof gus, id: string) => extra.gallery.readPhoto({ event_photo_id: Number(id) })
const fileOf = (bytes: Buffer, name: string) => new File([new Uint8Array(bytes)], name)
const upload = (file: Buffer, name: string, by = gus) =>
  by.extra.gallery.uploadPhoto({ event_id, image: fileOf(file, name) })

let seed = 900
const made = async (kind: RawKind) => {
  seed += 1
  const preview = await jpeg({ width: 300, height: 200, seed })
  const thumbnail = await jpeg({ width: 60, height: 40, seed })
  const wish = {
    preview: planted(preview, word),
    thumbnail,
    orientation: 6,
    takenAt: '2026:11:20 21:04:11',
    words: word,
  }
  return { preview, file: raw(kind, wish) }
}

describe('a RAW alone', () => {
  test.each(rawKinds)('of kind %s shows its largest picture, in the camera’s orientation', async kind => {
    const { preview, file } = await made(kind)
    const { id } = await upload(file, `DSC_0412.${kind.toUpperCase()}`)
    const photo = await seenBy(olivia, id)
    expect([photo.extra?.width, photo.extra?.height]).toEqual([200, 300])
    expect(photo.extra?.taken_at).toMatch(/^2026-11-2/)
    expect(photo.extra?.original).toMatchObject({ name: 'DSC_0412.jpg', type: 'image/jpeg' })
    const full = await get(photo.event_photo_url)
    expect(await pixelsOf(full)).toBe(sumOf(await sharp(preview).rotate(90).raw().toBuffer()))
    expect(full.includes(word)).toBe(false)
    expect(await apart(await get(photo.event_photo_preview_url), full)).toBeLessThan(3)
    // The organizer and the uploader get it unchanged; other guests do not see that it exists.
    for (const who of [olivia, gus]) {
      const { raw } = (await seenBy(who, id)).extra ?? {}
      expect(raw).toMatchObject({ name: `DSC_0412.${kind}`, bytes: file.length })
      expect(sumOf(await get(raw?.url))).toBe(sumOf(file))
    }
  })

  test('is not delivered to other guests, by any URL', async () => {
    const { file } = await made('nef')
    const { id } = await upload(file, 'DSC_1.NEF', olivia)
    const photo = await seenBy(gus, id)
    expect(photo.extra?.raw).toBeNull()
    const asked = photo.event_photo_url.replace('/full.jpg?', '/raw?')
    expect((await fetch(asked)).status).toBe(404)
    const own = (await seenBy(olivia, id)).extra?.raw?.url ?? ''
    const reply = await fetch(own)
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="DSC_1.nef"/)
    expect(reply.headers.get('content-type')).toBe('application/octet-stream')
  })

  test('without a usable picture, or with a bomb, is refused with a reason', async () => {
    const files = [raw('cr2', {}), raw('raf', {}), tiffBomb(), Buffer.concat([tiffBomb(), Buffer.alloc(20e6, 0xff)])]
    for (const file of files) {
      const began = performance.now()
      await expect(upload(file, 'DSC_2.DNG')).rejects.toMatchObject({
        status: 400,
        fields: { image: ['The image field holds no picture that can be shown.'] },
      })
      expect(performance.now() - began).toBeLessThan(20_000)
    }
  })

  test('keeps its preview when its owner leaves', async () => {
    const { file, preview } = await made('arw')
    await bringIn(olivia, event_id, asha)
    const { id } = await upload(file, 'DSC_3.ARW', asha)
    await asha.api.privacy.deleteAccount({ user_password: asha.password })
    await sql`update users set erase_at = now() where id = ${asha.id}`.execute(app.db)
    await eraseDue(app)
    const photo = await seenBy(olivia, id)
    expect(photo.extra?.raw).toBeNull()
    expect(await pixelsOf(await get(photo.event_photo_url))).toBe(
      sumOf(await sharp(preview).rotate(90).raw().toBuffer()),
    )
  })
})

test('a picture that is no RAW has the limit of photos, however it arrives', async () => {
  const { image_bytes_max, raw_bytes_max } = await gus.api.gallery.readUploadLimits({})
  expect([image_bytes_max, raw_bytes_max]).toEqual([megabyte / 4, 32 * megabyte])
  const large = padded(await jpeg({ seed: 990 }), megabyte / 2)
  await expect(upload(large, 'DSC_4.NEF')).rejects.toMatchObject({
    fields: { image: ['The image field must not be greater than 256 kilobytes.'] },
  })
  const tus = tusFor(app.url, gus)
  const at = await addressOf(tus.open(large.length, { event_id, kind: 'image' }))
  await tus.patch(at, 0, large)
  await expect(gus.api.gallery.uploadPhoto({ event_id, image_session_id: sessionIn(at) })).rejects.toMatchObject({
    fields: { image_session_id: [expect.stringContaining('256 kilobytes')] },
  })
  expect((await tus.open(33 * megabyte, { event_id, kind: 'raw' })).status).toBe(413)
})

describe('an album downloaded in full size', () => {
  test('has the RAW beside its picture for its uploader and for organizers, and counts photos', async () => {
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    for (const guest of [gus, sam]) await bringIn(olivia, event_id, guest)
    const put = (image: Buffer, name: string, beside?: Buffer) =>
      gus.api.gallery.uploadPhoto({
        event_id,
        image: fileOf(image, name),
        ...(beside && { raw: fileOf(beside, name) }),
      })
    const takenAt = '2026:11:20 21:04:11'
    const [first, second] = [await jpeg({ seed: 995, takenAt }), await jpeg({ seed: 996, takenAt })]
    const [alone, beside] = [await made('nef'), await made('cr2')]
    await put(first, 'DSC_0412.JPG')
    await put(second, 'DSC_0412.JPG', beside.file)
    await put(alone.file, 'DSC_0413.NEF')
    const home = async (who: typeof gus, size: 'full' | 'shown' = 'full') => {
      const link = await who.api.gallery.linkAlbum({ event_id, size })
      const zip = await get(link.download_url)
      expect([zip.length, link.download_photos_count]).toEqual([link.download_bytes, 3])
      const files = await filesIn(zip)
      return new Map(files.map(({ name, content }) => [name.split(' Gus ')[1] ?? name, content]))
    }
    const pictures = ['DSC_0412.jpg', 'DSC_0412 (2).jpg', 'DSC_0413.jpg']
    for (const who of [gus, olivia]) {
      const files = await home(who)
      expect([...files.keys()]).toEqual([
        'DSC_0412.jpg',
        'DSC_0412 (2).jpg',
        'DSC_0412 (2).cr2',
        'DSC_0413.jpg',
        'DSC_0413.nef',
      ])
      expect(files.get('DSC_0412 (2).cr2')?.equals(beside.file)).toBe(true)
      expect(files.get('DSC_0413.nef')?.equals(alone.file)).toBe(true)
      expect(files.get('DSC_0413.jpg')?.includes(word)).toBe(false)
      expect([...(await home(who, 'shown')).keys()]).toEqual(pictures)
    }
    expect([...(await home(sam)).keys()]).toEqual(pictures)
    // Links given to an organizer end with that role.
    await olivia.api.events.makeOrganizer({ event_id, user_id: sam.id })
    const { download_url } = await sam.api.gallery.linkAlbum({ event_id })
    expect(await filesIn(await get(download_url))).toHaveLength(5)
    await olivia.api.events.unmakeOrganizer({ event_id, user_id: sam.id })
    expect((await fetch(download_url)).status).toBe(404)
    expect([...(await home(sam)).keys()]).toEqual(pictures)
  })
})
