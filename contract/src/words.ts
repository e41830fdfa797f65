/** The types of fields: in requests (lenient) and in replies (exact). */
import { z } from 'zod'
import { idMax, pageLengthMax, reactionBytesMax } from './limits.ts'
import { asciiDigits, mailboxOf } from './normalization.ts'
import { inkless, plainLines, plainName } from './plain-names.ts'
import { zoneNamed, zoneOfDevice } from './zones.ts'

/** Validation messages are templates: `:attribute` is replaced by the field's name with spaces. */
export const sentence = {
  required: 'The :attribute field is required.',
  integer: 'The :attribute field must be an integer.',
  string: 'The :attribute field must be a string.',
  boolean: 'The :attribute field must be true or false.',
  array: 'The :attribute field must be an array.',
  date: 'The :attribute field must be a valid date.',
  future: 'The :attribute field must be a date in the future.',
  email: 'The :attribute field must be a valid email address.',
  mailDomain: 'The :attribute field must be an address at a domain that this service accepts.',
  timezone: 'The :attribute field must be a valid timezone.',
  format: 'The :attribute field format is invalid.',
  pageAddress: (found: string) => `The :attribute field must not contain a web address: ${found}.`,
  selected: 'The selected :attribute is invalid.',
  taken: 'The :attribute has already been taken.',
  confirmation: 'The :attribute field confirmation does not match.',
  image: 'The :attribute field must be an image.',
  video: 'The :attribute field must be a file of type: mp4, mov, avi, wmv.',
  videoTool: 'The :attribute field is not accepted, as this server has nothing to convert videos with.',
  videoPicture: 'The :attribute field has no moving picture.',
  videoEnd: 'The :attribute field is incomplete: its end is missing.',
  videoDamaged: 'The :attribute field is damaged and cannot be read.',
  videoMemory: 'The :attribute field has pictures too large to be converted here.',
  minutes: (minutes: number) => `The :attribute field must not be longer than ${minutes} minutes.`,
  checksum: 'The :attribute field does not have the announced checksum.',
  atLeast: (least: number) => `The :attribute field must be at least ${least}.`,
  atMost: (most: number) => `The :attribute field must not be greater than ${most}.`,
  lengthAtLeast: (least: number) => `The :attribute field must be at least ${least} characters.`,
  lengthAtMost: (most: number) => `The :attribute field must not be greater than ${most} characters.`,
  countAtMost: (most: number) => `The :attribute field must not have more than ${most} items.`,
  countAtLeast: (least: number) => `The :attribute field must have at least ${least} items.`,
  afterStart: 'The :attribute field must be a date after programme starts at.',
  afterEventStart: 'The :attribute field must be a date after event starts at.',
  fromYear: (year: number) => `The :attribute field must be a date in the year ${year} or later.`,
  contradictsShown: 'The :attribute field contradicts event photos shown.',
  daysBefore: (days: number) => `The :attribute field must not be more than ${days} days before event starts at.`,
  nearStart: (days: number) => `The :attribute field must be within ${days} days of event starts at.`,
  distinct: 'The :attribute field has a duplicate value.',
  fileType: (types: string) => `The :attribute field must be a file of type: ${types}.`,
  fileSize: (kilobytes: number) => `The :attribute field must not be greater than ${kilobytes} kilobytes.`,
  movingPixels: (megapixels: number) =>
    `The :attribute field must not have more than ${megapixels} megapixels in all of its frames.`,
  noPreview: 'The :attribute field holds no picture that can be shown.',
  tooSlow: 'The :attribute field takes too long to be read.',
  pixels: (megapixels: number) => `The :attribute field must not have more than ${megapixels} megapixels.`,
}

/** Fields whose text is kept as typed; every other string in a request is trimmed. */
export const untrimmedFields = new Set([
  'user_password',
  'user_password_confirmation',
  'current_password',
  'image',
  'video',
  'raw',
  'live',
  'attachments',
])

// ---- what a request may carry ----

const integerText = /^(?:0|-?[1-9][0-9]{0,18})$/
const integerOf = (value: unknown) => {
  if (typeof value !== 'string') return value
  const digits = asciiDigits(value)
  return integerText.test(digits) ? Number(digits) : value
}

const numberOrText = z.union([z.number(), z.string()], sentence.integer)

const integer = (least: number, most: number) =>
  numberOrText
    .transform(integerOf)
    .pipe(
      z
        .number(sentence.integer)
        .refine(Number.isInteger, { error: sentence.integer, abort: true })
        .min(least, sentence.atLeast(least))
        .max(most, sentence.atMost(most)),
    )

const int64Text = /^(?:0|-?[1-9][0-9]{0,18})$/
const isInt64 = (value: unknown) => {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) <= 2 ** 63
  return typeof value === 'string' && int64Text.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value)
}
const givenId = numberOrText.refine(isInt64, { error: sentence.integer, abort: true }).transform(Number)
/** Anything that cannot be an ID is read as one that is never assigned, so it is simply not found. */
const possible = (id: number) => (id >= 1 && id <= idMax ? id : idMax)

/** An ID: `12` or `"12"`. The only parser of IDs; it rejects anything above 2^53 - 1. */
export const Id = givenId.transform(possible).meta({ type: 'integer', format: 'int64' })
/** An optional ID. Typed clients send 0 for none. */
export const OptionalId = givenId
  .transform(id => (id === 0 ? undefined : possible(id)))
  .meta({ type: 'integer', format: 'int64' })
  .nullish()
  .transform(id => id ?? undefined)

export const count = (least: number, most: number) =>
  integer(least, most).meta({ type: 'integer', minimum: least, maximum: most })

/** One of a few integers that stand for a kind, such as a visibility. */
export const choice = <const Choices extends readonly number[]>(choices: Choices) =>
  numberOrText
    .transform(integerOf)
    .pipe(
      z
        .number(sentence.integer)
        .refine(Number.isInteger, { error: sentence.integer, abort: true })
        .refine((value): value is Choices[number] => choices.includes(value), sentence.selected),
    )
    .meta({ type: 'integer', enum: [...choices] })

const booleans = new Map<unknown, boolean>([
  [0, false],
  [1, true],
  ['0', false],
  ['1', true],
  ['true', true],
  ['false', false],
])
export const Flag = z
  .union([z.boolean(), z.number(), z.string()], sentence.boolean)
  .transform(value => booleans.get(value) ?? value)
  .pipe(z.boolean(sentence.boolean))
  .meta({ type: 'boolean' })

/** Lengths count letters as they are composed: `é` is one, as one code point or as two. */
const lengthOf = (value: string) => [...value.normalize()].length
export const longerThan = (value: string, most: number) => value.length > most && lengthOf(value) > most
const shorterThan = (value: string, least: number) => value.length < least || lengthOf(value) < least
/** PostgreSQL cannot store NUL, and a lone surrogate cannot be encoded: both would end in a 500. */
const storable = (value: string) => value.isWellFormed() && !value.includes('\0')

export const text = (most: number, least = 1) =>
  z
    .string(sentence.string)
    .refine(storable, { error: sentence.format, abort: true })
    .refine(value => !longerThan(value, most), sentence.lengthAtMost(most))
    .refine(value => !shorterThan(value, least), sentence.lengthAtLeast(least))
    .meta({ minLength: least, maxLength: most })

/** A file's name: shown, and offered when it is saved. */
export const fileNameText = (most: number) => text(most).transform(plainName).meta({ type: 'string', maxLength: most })

const visible = new RegExp(`[^\\p{Z}\\p{Cc}\\p{Cf}\\p{Cn}\\p{M}\\p{Default_Ignorable_Code_Point}${inkless}]`, 'u')
/** Text for other people; invisible characters alone are not enough. */
export const saidText = (most: number) => text(most).refine(value => visible.test(value), sentence.required)

const plainText = (most: number, plain: (given: string) => string) =>
  text(most)
    .transform(plain)
    .refine(value => visible.test(value), sentence.required)
    .meta({ type: 'string', minLength: 1, maxLength: most })
/** A line of somebody's words: a name, a place, a note; see `plain-names.ts`. Invisible characters alone are not enough. */
export const shortText = (most: number) => plainText(most, plainName)
/** The same of several lines, shown beside what it describes. */
export const linesText = (most: number) => plainText(most, plainLines)

export const matching = (pattern: RegExp, most: number, least = 1) =>
  text(most, least).regex(pattern, sentence.format).meta({ minLength: least, maxLength: most, pattern: pattern.source })

/** The SHA-256 of a file's bytes. */
export const Sha256 = matching(/^[0-9a-f]{64}$/, 64, 64)

/**
 * As mailboxes are really called: with `..` (docomo.ne.jp gave such), `&`, letters of every script, domains of every
 * script. Nothing that could end the address in a mail's header, and no letter (İ, the signs of Kelvin and Ångström)
 * that the database folds into another address's.
 */
const mailbox =
  /^(?!.*[\u0130\u212a\u212b])(?=[^@]{1,64}@)[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?!\d+$)[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$/u

export const Email = (most: number) =>
  text(most)
    .regex(mailbox, sentence.email)
    .transform(mailboxOf)
    .meta({ type: 'string', format: 'email', maxLength: most })

const zone = (find: (given: string) => string | undefined) =>
  text(64)
    .refine(given => find(given) !== undefined, sentence.timezone)
    .transform(given => find(given) as string)
    .meta({ type: 'string', maxLength: 64 })
/** A device's time zone, as a name that every browser knows: see `zones.ts`. */
export const Timezone = zone(zoneOfDevice)
/** The time zone of a place. */
export const PlaceTimezone = zone(zoneNamed)
/** For a device, which is never refused for its time zone: UTC if it names none. */
export const AnyTimezone = z
  .unknown()
  .transform(given => (given === null ? undefined : (zoneOfDevice(String(given)) ?? 'UTC')))
  .meta({ anyOf: [{ type: 'string', maxLength: 64 }, { type: 'null' }] })
  .optional()

/** A time of day in hours and minutes: `22:30`. Seconds, which some clients add, are dropped. */
export const TimeOfDay = z
  .string(sentence.string)
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?$/, sentence.format)
  .transform(time => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)))
  .meta({ type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })

const dateAndTime = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?/
/** Behind an unescaped `+` in a query or a form stands a space. */
const offset = / ?(?:[Zz]|([+ −-])(\d\d)(?::?(\d\d))?)(?:\[[\w/+-]+\])?$/

/** ISO 8601 as clients write it: seconds, their fraction, and an offset with or without a colon. */
const momentOf = (value: string): Date | undefined => {
  const [begin = '', day, minutes, seconds = '00', fraction = '0'] = dateAndTime.exec(value) ?? []
  const [end, sign, hoursOff = '00', minutesOff = '00'] = offset.exec(value) ?? []
  if (end === undefined || begin + end !== value || Number(hoursOff) > 23 || Number(minutesOff) > 59) return undefined
  const local = new Date(`${day}T${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  // A 31st of June would become the first of July.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 16) !== `${day}T${minutes}`) return undefined
  const off = (Number(hoursOff) * 60 + Number(minutesOff)) * (sign === '-' || sign === '−' ? -1 : 1)
  const moment = new Date(local.getTime() - off * 60_000)
  // An offset may lead out of the years that four digits name.
  return moment.toISOString().length === '2026-01-01T00:00:00.000Z'.length ? moment : undefined
}

/** A moment: ISO 8601 with an offset or Z, to the millisecond. */
export const Moment = z
  .string(sentence.string)
  .transform((value, check) => {
    const moment = momentOf(value)
    if (!moment) check.addIssue({ code: 'custom', message: sentence.date })
    return moment ?? z.NEVER
  })
  .meta({ type: 'string', format: 'date-time' })

/**
 * The spelling in which an emoji is stored: with a variation selector where Unicode's own list has one. Keyboards leave
 * it out or add more.
 */
const spelt = (emoji: string) =>
  emoji
    .replace(/[\ufe0e\ufe0f]/g, '')
    .replace(/(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu, letter => `${letter}\ufe0f`)

/** A single emoji as displayed, including skin tones and families. */
export const Emoji = text(64)
  .transform(spelt)
  .refine(
    value => /^\p{RGI_Emoji}$/v.test(value) && new TextEncoder().encode(value).length <= reactionBytesMax,
    sentence.selected,
  )
  .meta({ type: 'string', minLength: 1, maxLength: 64 })

/** The ID of an upload session. Text that cannot be one counts as unknown. */
export const SessionId = z
  .string(sentence.selected)
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, sentence.selected)
  .meta({ type: 'string', format: 'uuid' })

/** Absent, null and "" all mean that no value was given. */
export const maybe = <Word extends z.ZodType>(word: Word) => word.nullish().transform(value => value ?? undefined)

export const Paging = {
  page: integer(1, idMax).meta({ type: 'integer', minimum: 1 }).describe('Page number, starting at 1.'),
  /** A value above the maximum is not an error, but treated as the maximum. */
  page_length: integer(1, idMax)
    .transform(length => Math.min(length, pageLengthMax))
    .meta({ type: 'integer', minimum: 1, maximum: pageLengthMax }),
}

// ---- what a reply holds: closed shapes ----

export const IdNumber = z.int().positive().meta({ format: 'int64' })
export const IdString = z.string().regex(/^[1-9][0-9]{0,15}$/)
export const Count = z.int().nonnegative().meta({ format: 'int64' })
export const CountString = z.string().regex(/^(?:0|[1-9][0-9]*)$/)
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: 'date-time' })
export const Url = z.url()

export const shape = <Fields extends z.ZodRawShape>(id: string, fields: Fields) => z.strictObject(fields).meta({ id })

/** The envelope of a list: exactly these nine keys. */
export const Page = <Of extends z.ZodType>(of: Of) =>
  shape(`${of.meta()?.id}List`, {
    current_page: z.int().describe('The page that was requested.'),
    data: z.array(of),
    first_page_url: Url.describe('URL of the first page.'),
    from: z
      .int()
      .nullable()
      .describe('Position of the first item in the whole list, starting at 1; null if the page is empty.'),
    next_page_url: Url.nullable().describe('URL of the next page; null on the last page.'),
    path: Url,
    per_page: z.string().describe('Items per page, as a string.'),
    prev_page_url: Url.nullable().describe('URL of the previous page; null on the first page.'),
    to: z.int().nullable(),
  })

export const Done = shape('Done', { done: z.literal(true) })
