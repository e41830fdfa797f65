import { z } from 'zod'
import type { DecodeRequest } from './picture-decode.ts'

/*
 * A decoder's tasks and possible answers. It reads untrusted files, so its answer is untrusted until it is checked
 * here. The program itself only uses the types.
 */

/** With a picture file. `costMax` null: whatever it costs. */
export type PictureTask = { act: 'picture'; wanted: DecodeRequest; costMax: number | null }
/** The same, only parsing: nothing is decoded. */
export type StructureTask = { act: 'structure' }
/** With a picture in display size that we made: its medium size. */
export type MediumTask = { act: 'medium' }
export type Task = PictureTask | StructureTask | MediumTask

const refusals = [
  'not-a-picture',
  'unsupported',
  'too-many-pixels',
  /** The sum of all frames of an animation. */
  'too-many-moving-pixels',
  'damaged',
  /** A RAW without a picture that can be displayed. */
  'no-preview',
] as const
/** The limit itself tells which one took too long. */
export type RefusalReason = (typeof refusals)[number] | 'too-slow'

const edge = z.int().min(1).max(65_535)
const written = z.strictObject({ type: z.enum(['image/jpeg', 'image/webp']), width: edge, height: edge })
const whole = z.strictObject({
  type: z.enum(['image/jpeg', 'image/webp', 'image/png', 'image/gif']),
  width: edge,
  height: edge,
})
const medium = z.strictObject({ type: z.enum(['image/jpeg', 'image/avif']), width: edge, height: edge })
const piece = z.union([z.tuple([z.int(), z.int()]), z.base64(), z.int()])
const size = z.int().min(1).max(1e9)
const full = z.strictObject({ bytes: z.int().min(1), crc32: z.uint32(), pieces: z.array(piece).max(256) })
const made = z.strictObject({
  type: z.enum([
    'image/jpeg',
    'image/png',
    'image/webp',
    'image/gif',
    'image/avif',
    'image/heic',
    'image/x-canon-cr2',
    'image/x-canon-cr3',
    'image/x-nikon-nef',
    'image/x-sony-arw',
    'image/x-adobe-dng',
    'image/x-fujifilm-raf',
    'image/x-olympus-orf',
    'image/x-panasonic-rw2',
  ]),
  width: size,
  height: size,
  thumbhash: z.string().regex(/^[A-Za-z0-9+/]{1,100}={0,2}$/),
  look: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable(),
  taken: z
    .strictObject({
      local: z.iso.datetime({ local: true, offset: false, precision: 3 }),
      offset: z
        .string()
        .regex(/^[+-](0\d|1[0-4]):[0-5]\d$/)
        .nullable(),
    })
    .nullable(),
  place: z.strictObject({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }).nullable(),
  display: whole,
  preview: written,
  tile: written.nullable(),
  /** In full size, re-encoded: where the structure cannot be parsed. */
  whole: whole.nullable(),
  incomplete: z.boolean(),
  end: z.int().min(0).nullable(),
  film: z.tuple([z.int().min(0), z.int().min(0)]).nullable(),
  full: full.nullable(),
})
export type Written = z.infer<typeof whole>
export type MediumWritten = z.infer<typeof medium>
export type Made = z.infer<typeof made>

/** With the files of `display`, `preview` and, if there are any, `tile` and `whole`. `cost`: it is more than was allowed, nothing was decoded. */
export const pictureAnswer = z.union([
  z.strictObject({ made }),
  z.strictObject({ full: full.nullable(), incomplete: z.boolean() }),
  z.strictObject({ medium: z.array(medium).max(2) }),
  z.strictObject({ refused: z.enum(refusals), detail: z.string().max(300) }),
  z.strictObject({ cost: z.number().positive().max(1e6) }),
])
export type PictureAnswer = z.infer<typeof pictureAnswer>

/** Nothing legitimate comes near: an animation of 100 megapixels of noise is 30 MB. */
const fileBytesMax = 128 * 1024 * 1024

/** `swollen`: the process has grown so large that it should be ended. */
export const answerHead = z.strictObject({
  id: z.string(),
  files: z.array(z.int().min(1).max(fileBytesMax)).max(4),
  swollen: z.boolean(),
  answer: pictureAnswer,
})
export type AnswerHead = z.infer<typeof answerHead>

/** The files that must accompany an answer, in this order. */
export const filesOf = (answer: PictureAnswer): (Written | MediumWritten)[] => {
  if ('medium' in answer) return answer.medium
  if (!('made' in answer)) return []
  const { display, preview, tile, whole } = answer.made
  return [display, preview, tile, whole].filter(file => file !== null)
}
