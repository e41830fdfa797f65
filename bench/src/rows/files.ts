import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCeiling } from '../ceiling.ts'
import type { Duel } from '../figures.ts'
import type { Fixture, RowGroup } from '../fixture.ts'
import { goalOf } from '../goals.ts'
import { meteredSide } from '../meter.ts'
import { inParallel } from '../parallel.ts'
import { albumPage, ask, membersOf, openRoom, pathOf } from '../people.ts'
import type { Service } from '../service.ts'
import { openUploads } from '../uploads.ts'

const photosOfAlbum = 40

/** Uploads of photos of 12 megapixels, downloads of albums and full sizes. */
export const files: RowGroup = {
  ids: ['photo', 'files.zip', 'files.full'],
  async *duels(fixture) {
    yield await photo(fixture)
    yield await albumAsZip(fixture)
    yield await fullSize(fixture)
  },
}

const photo = async ({ large, scratch, random }: Fixture): Promise<Duel> => {
  const { original, uploading } = await openUploads()
  mkdirSync(scratch, { recursive: true })
  const path = join(scratch, 'photo.jpg')
  writeFileSync(path, original)
  const bare = await startCeiling('thumbnails', { photo: path })
  return {
    goals: [goalOf('photo')],
    ceiling: meteredSide({ server: bare.server, postgres: large.service.postgres }, seconds =>
      inParallel(2, seconds, lane => ask(bare.port, { method: 'POST', path: `/${lane}` })),
    ),
    ours: uploading(large, await membersOf(large.db, { from: 2, to: 60 }, 4), random),
    end: bare.stop,
  }
}

/** Downloads the files in order, again and again. */
const taking = (service: Service, urls: readonly string[]) =>
  meteredSide(service, seconds =>
    inParallel(1, seconds, async () => {
      for (const url of urls) await ask(service.port, { path: pathOf(url) })
    }),
  )

/**
 * Downloads the album as somebody other than the photographer, so all bytes come without metadata. Both sides send the
 * same bytes.
 */
const albumAsZip = async ({ large }: Fixture): Promise<Duel> => {
  const { service } = large
  const { event, maker, guests } = await openRoom(large, 1)
  const [token = ''] = guests
  const { unseen } = await openUploads(1600)
  for (let n = 0; n < photosOfAlbum; n++) await ask(service.port, unseen({ event, token: maker }))
  const { data } = (await ask(service.port, albumPage(event, token))) as { data: { event_photo_url: string }[] }
  const { download_url } = await ask(service.port, { method: 'POST', path: `/api/gallery/download/${event}`, token })
  const urls = data.map(({ event_photo_url }) => event_photo_url)
  return { goals: [goalOf('files.zip')], ceiling: taking(service, urls), ours: taking(service, [download_url]) }
}

/**
 * A picture with metadata is sent in pieces of the stored file; a plain one is sent whole, in place of the screen size.
 */
const fullSize = async ({ large }: Fixture): Promise<Duel> => {
  const { service, db } = large
  const { event, maker, guests } = await openRoom(large, 1)
  const { unseen } = await openUploads()
  const { id } = await ask(service.port, unseen({ event, token: maker }))
  await db.query(
    `update media m set variants = variants || jsonb_build_object('display',
       variants -> 'display' || jsonb_build_object('sha256', m.original_sha256, 'bytes', m.original_bytes))
     from photos p where p.id = $1 and m.id = p.media_id`,
    [id],
  )
  const path = `/api/gallery/photo/details/${id}?include=extra`
  const { event_photo_url, extra } = await ask(service.port, { path, token: guests[0] as string })
  const [stored, full] = [extra.screen_url, event_photo_url]
  return { goals: [goalOf('files.full')], ceiling: taking(service, [stored]), ours: taking(service, [full]) }
}
