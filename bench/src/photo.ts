import { randomFillSync } from 'node:crypto'
import { jpeg } from '../../server/test/pictures.ts'

const mark = Buffer.from([0xff, 0xfe, 0x00, 0x12])
const markBytes = 16

/** A phone's photo of 12 megapixels, or a smaller one, and copies of it that no store has seen: a comment in each differs. */
export const openPhotos = async (width = 4032) => {
  const plain = await jpeg({ width, height: (width * 3) / 4, grain: 8, gps: true, seed: 7 })
  const start = plain.subarray(0, 2)
  const original = Buffer.concat([start, mark, Buffer.alloc(markBytes), plain.subarray(2)])
  return {
    original,
    /** The form of its upload. */
    unseen(event: number): FormData {
      const copy = Buffer.from(original)
      randomFillSync(copy, start.length + mark.length, markBytes)
      const form = new FormData()
      form.set('event_id', String(event))
      form.set('image', new Blob([copy], { type: 'image/jpeg' }), 'photo.jpg')
      return form
    },
  }
}
