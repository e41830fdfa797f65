import { expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from './operations.ts'

/* Short texts of people have one type, so none of them affects the text around it: see `plain-names.ts`. */

const disguised = `a\u202eb\u2066\u001b[31m\u200b\u00adc`
const disguises = /[\p{Cc}\u200b\u00ad\u202a-\u202e\u2066-\u2069]/u
const manyLines = 'a\nb\u2028c'

/** Fields that accept a text unchanged, by reason. */
const kept: Record<string, readonly string[]> = {
  'a text of its own, of many lines': [
    ...['message_content', 'event_description', 'event_photo_comment', 'report_reason'],
  ],
  'compared with what is known, and shown to nobody': [
    ...['code', 'reset_code', 'undo_code', 'verification_code', 'current_password', 'user_password'],
    ...['user_password_confirmation', 'user_login_id', 'user_login_option_unique_identifier', 'device_id'],
    ...['push_auth', 'push_endpoint', 'push_p256dh', 'push_token', 'cursor', 'until', 'return_to', 'language'],
  ],
  'a search': ['name', 'text'],
  'parsed as an address, and kept as it parses': ['webhook_url'],
}
const listed = new Set(Object.values(kept).flat())

const inner = (schema: z.ZodType): z.ZodType => {
  const { innerType, in: from } = schema.def as { innerType?: z.ZodType; in?: z.ZodType }
  if (schema instanceof z.ZodPipe && from instanceof z.ZodTransform === false && from) return inner(from)
  return innerType ? inner(innerType) : schema
}
/** Every field with its name, those of lists included. */
const fieldsOf = (schema: z.ZodType, name = ''): [string, z.ZodType][] => {
  const bare = inner(schema)
  if (bare instanceof z.ZodObject)
    return Object.entries(bare.shape as Record<string, z.ZodType>).flatMap(([key, field]) => fieldsOf(field, key))
  const { element } = bare.def as { element?: z.ZodType }
  return [...(name ? [[name, schema] as [string, z.ZodType]] : []), ...(element ? fieldsOf(element, name) : [])]
}
/** The text that a field makes of this one; empty if it refuses it. */
const keeps = (field: z.ZodType, text: string) => {
  for (const given of [text, [text], [text, `${text}2`]]) {
    const { success, data } = field.safeParse(given)
    if (success && data !== undefined)
      return JSON.parse(JSON.stringify([data]))
        .flat()
        .join('') as string
  }
  return ''
}

const all = operations.flatMap(({ name, input }) =>
  fieldsOf(input).map(([field, schema]) => ({ at: `${name}.${field}`, field, schema })),
)
const unlisted = all.filter(({ field }) => !listed.has(field))

test('only listed fields accept characters that turn or hide text', () => {
  expect(unlisted.filter(({ schema }) => disguises.test(keeps(schema, disguised))).map(({ at }) => at)).toEqual([])
})

test('among the other fields, only descriptions of photos and announcements accept several lines', () => {
  const lined = unlisted.filter(({ schema }) => /[\n\u2028]/.test(keeps(schema, manyLines))).map(({ field }) => field)
  expect([...new Set(lined)].sort()).toEqual(['announcement_text', 'event_photo_alt_text', 'event_photo_caption'])
})

test('the listed fields accept them, and the short texts of people lose them', () => {
  const [kept, cleaned] = [new Set<string>(), new Set<string>()]
  for (const { field, schema } of all) {
    const given = keeps(schema, disguised)
    if (given) (disguises.test(given) ? kept : cleaned).add(field)
  }
  expect([...kept].sort()).toEqual([...listed].sort())
  expect([...cleaned].sort()).toEqual([
    ...['announcement_text', 'answer_note', 'event_location', 'event_name', 'event_photo_alt_text'],
    ...[
      'event_photo_caption',
      'message_content',
      'move_reason',
      'plus_names',
      'poll_choices',
      'programme_place',
      'programme_title',
    ],
    // The message of a poll; a device's zone that is none becomes UTC.
    ...['user_device_platform', 'user_first_name', 'user_last_name', 'user_middle_name', 'user_timezone'],
  ])
})
