import { randomFillSync } from 'node:crypto'
import { jpeg } from '../../server/test/pictures.ts'
import type { Side } from './figures.ts'
import type { Instance } from './fixture.ts'
import { meteredSide } from './meter.ts'
import { inParallel } from './parallel.ts'
import { ask, type Member } from './people.ts'
import { oneOf } from './statistics.ts'

const mark = Buffer.from([0xff, 0xfe, 0x00, 0x12])
const markBytes = 16

/** A phone's photo of 12 megapixels, or a smaller one, and unique copies of it that differ in a comment. */
export const openUploads = async (width = 4032) => {
  const plain = await jpeg({ width, height: (width * 3) / 4, grain: 8, gps: true, seed: 7 })
  const start = plain.subarray(0, 2)
  const original = Buffer.concat([start, mark, Buffer.alloc(markBytes), plain.subarray(2)])
  /** Uploads a unique copy. */
  const unseen = ({ event, token }: Pick<Member, 'event' | 'token'>) => {
    const copy = Buffer.from(original)
    randomFillSync(copy, start.length + mark.length, markBytes)
    const form = new FormData()
    form.set('event_id', String(event))
    form.set('image', new Blob([copy], { type: 'image/jpeg' }), 'photo.jpg')
    return { method: 'POST', path: '/api/gallery/upload', token, form } as const
  }
  /** Two concurrent uploads by any of these people. */
  const uploading = ({ service, db }: Instance, members: readonly Member[], random: () => number): Side => {
    const one = () => ask(service.port, unseen(oneOf(members, random)))
    // Sizes for phones are made in spare time, which is when the other side is measured.
    const dropSpareWork = () => db.query(`delete from jobs where task = 'makeMedium' and held_by is null`)
    return meteredSide(service, seconds => inParallel(2, seconds, one).finally(dropSpareWork))
  }
  return { original, unseen, uploading }
}
