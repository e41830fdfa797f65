import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startCeilingWorker } from '../ceiling.ts'
import type { Duel, Side } from '../figures.ts'
import type { Fixture, RowGroup } from '../fixture.ts'
import { type Metered, meter } from '../meter.ts'
import { inParallel } from '../parallel.ts'
import { albumPage, ask, membersOf, openRoom } from '../people.ts'
import { openPhotos } from '../photo.ts'
import { oneOf } from '../statistics.ts'
import { dropSpareWork, upload } from './beside.ts'

const photosOfAlbum = 40

/** Photos of 12 megapixels on their way in, albums and full sizes on their way out. */
export const files: RowGroup = {
  ids: ['photo', 'files.zip', 'files.full'],
  async *duels(fixture) {
    yield await photo(fixture)
    yield await albumAsZip(fixture)
    yield await fullSize(fixture)
  },
}

const again = (lanes: number, metered: Metered, work: () => Promise<unknown>): Side => ({
  async run(seconds) {
    const spent = meter(metered)
    const { operations, seconds: took, p50, p99 } = await inParallel(lanes, seconds, work)
    return { rate: operations / took, p50, p99, ...spent(operations) }
  },
})

const photo = async (fixture: Fixture): Promise<Duel> => {
  const { service, db } = fixture.large
  const { original, unseen } = await openPhotos()
  mkdirSync(fixture.scratch, { recursive: true })
  const path = join(fixture.scratch, 'photo.jpg')
  writeFileSync(path, original)
  const bare = await startCeilingWorker(
    'thumbnails',
    { photo: path },
    { postgres: service.postgres, countsItself: true },
  )
  const members = await membersOf(db, { from: 2, to: 60 }, 4)
  const side = again(2, service, () => upload(fixture, oneOf(members, fixture.random), unseen))
  return {
    goals: [
      {
        id: 'photo',
        work: 'upload of a photo of 12 megapixels → 200',
        ceiling: 'vipsthumbnail twice (else sharp, two pipelines), two jobs',
        figure: 'rate',
        floor: 1.3,
        aim: 1.5,
        cpuDecides: true,
      },
    ],
    ceiling: bare.side,
    ours: { run: seconds => side.run(seconds).finally(() => dropSpareWork(fixture.large)) },
    end: bare.stop,
  }
}

const pathOf = (url: string) => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** In full, by somebody else than who took them: all bytes come without metadata. The same bytes on both sides. */
const albumAsZip = async ({ large }: Fixture): Promise<Duel> => {
  const { service } = large
  const { event, maker, guests } = await openRoom(large, 1)
  const [token = ''] = guests
  const { unseen } = await openPhotos(1600)
  for (let n = 0; n < photosOfAlbum; n++) await upload({ large }, { event, token: maker, userId: 0 }, unseen)
  const { data } = (await ask(service.port, albumPage(event, token))) as { data: { event_photo_url: string }[] }
  const { download_url } = await ask(service.port, { method: 'POST', path: `/api/gallery/download/${event}`, token })
  return {
    goals: [
      {
        id: 'files.zip',
        work: `album of ${photosOfAlbum} photos as a zip`,
        ceiling: 'the same full-size files one after the other',
        figure: 'rate',
        floor: 0.9,
        aim: 1.5,
      },
    ],
    ceiling: again(1, service, async () => {
      for (const { event_photo_url: url } of data) await ask(service.port, { path: pathOf(url) })
    }),
    ours: again(1, service, () => ask(service.port, { path: pathOf(download_url) })),
  }
}

/** A picture with metadata is sent in pieces of what is stored; the plain file is what is stored, in the place of the size for screens. */
const fullSize = async ({ large }: Fixture): Promise<Duel> => {
  const { service, db } = large
  const { event, maker, guests } = await openRoom(large, 1)
  const { unseen } = await openPhotos()
  const { id } = await upload({ large }, { event, token: maker, userId: 0 }, unseen)
  await db.query(
    `update media m set variants = variants || jsonb_build_object('display',
       variants -> 'display' || jsonb_build_object('sha256', m.original_sha256, 'bytes', m.original_bytes))
     from photos p where p.id = $1 and m.id = p.media_id`,
    [id],
  )
  const path = `/api/gallery/photo/details/${id}?include=extra`
  const { event_photo_url, extra } = await ask(service.port, { path, token: guests[0] as string })
  const reading = (url: string) => again(1, service, () => ask(service.port, { path: pathOf(url) }))
  return {
    goals: [
      {
        id: 'files.full',
        work: `a photo in full size, ${(extra.original.bytes / 1e6).toFixed(1)} MB`,
        ceiling: 'the same bytes as a plain file',
        figure: 'rate',
        floor: 0.9,
        aim: 1,
      },
    ],
    ceiling: reading(extra.screen_url),
    ours: reading(event_photo_url),
  }
}
