import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { idMax } from './limits.ts'
import { validationBody } from './sentences.ts'
import { Email, Emoji, Flag, Id, Moment, OptionalId, Paging, Timezone, text } from './words.ts'

const problems = (word: z.ZodType, value: unknown): string[] => {
  const input = { some_field: value }
  const result = z.object({ some_field: word }).safeParse(input)
  return result.success ? [] : (validationBody(result.error, input).some_field ?? ['elsewhere'])
}
const integer = 'The some field field must be an integer.'

describe('an id', () => {
  test.each([1, '1', '12', 12.0, Number.MAX_SAFE_INTEGER, '9007199254740991'])('may be %j', value => {
    expect(Id.parse(value)).toBe(Number(value))
  })

  test.each([
    '1.5',
    1.5,
    'abc',
    '0x10',
    '1e3',
    '+1',
    '007',
    '１２',
    '1 2',
    ' 1',
    '1\0',
    true,
    [],
    [1],
    {},
    '-',
    '99999999999999999999',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    'NaN',
  ])('is no integer as %j', value => {
    expect(problems(Id, value)).toEqual([integer])
  })

  test.each([0, '0', -1, '-9223372036854775808', '9007199254740992', '9223372036854775807', 2 ** 63])(
    'is one that is never given out as %j',
    value => {
      expect(Id.parse(value)).toBe(idMax)
    },
  )

  test.each([1e19, '9223372036854775808', '-9223372036854775809'])('is no integer as %j, beyond 64 bits', value => {
    expect(problems(Id, value)).toEqual([integer])
  })

  test.each([0, '0', null, undefined])('that is optional is absent as %j', value => {
    expect(OptionalId.parse(value)).toBe(undefined)
  })

  test('that is optional is an id like any other', () => {
    expect(OptionalId.parse('12')).toBe(12)
    expect(OptionalId.parse('9007199254740992')).toBe(idMax)
    expect(problems(OptionalId, 'abc')).toEqual([integer])
  })

  test.each([undefined, null])('is required when it is %j', value => {
    expect(problems(Id, value)).toEqual(['The some field field is required.'])
    expect(problems(OptionalId, value)).toEqual([])
  })
})

test('a page length above the maximum is read as the maximum', () => {
  expect(Paging.page_length.parse('1000000000')).toBe(100)
  expect(problems(Paging.page, '0')).toEqual(['The some field field must be at least 1.'])
})

test.each([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
])('the flag %j is %j', (value, flag) => expect(Flag.parse(value)).toBe(flag))
test.each(['yes', 2, [], {}])('%j is no flag', value => {
  expect(problems(Flag, value)).toEqual(['The some field field must be true or false.'])
})

describe('a text', () => {
  test('counts what people see as characters, not UTF-16 units', () => {
    expect(problems(text(3), '😀😀😀')).toEqual([])
    expect(problems(text(3), '😀😀😀😀')).toEqual(['The some field field must not be greater than 3 characters.'])
    expect(problems(text(9, 3), '😀😀')).toEqual(['The some field field must be at least 3 characters.'])
  })

  test.each(['a\0b', '\ud800', 'x\udfff'])('that cannot be stored is refused: %j', value => {
    expect(problems(text(10), value)).toEqual(['The some field field format is invalid.'])
  })

  test.each([
    'مرحبا',
    '你好',
    'Z̷̢a̸l̴g̵o̶',
    '\u202Eright to left',
    '<script>alert(1)</script>',
    "'; drop table users;--",
    '👩‍👩‍👧‍👦',
  ])('comes through unchanged: %s', value => expect(text(100).parse(value)).toBe(value))

  test.each([1, true, {}, ['a']])('is not %j', value => {
    expect(problems(text(10), value)).toEqual(['The some field field must be a string.'])
  })
})

test.each(['👍', '❤️', '👩🏽‍🚀', '🇪🇸', '1️⃣'])('%s is one emoji', value => expect(Emoji.parse(value)).toBe(value))
test.each(['a', '👍👍', '1', '❤', ':)', '👍 '])('%j is not one emoji', value => {
  expect(problems(Emoji, value)).toEqual(['The selected some field is invalid.'])
})

test('a time zone is any that the platform knows, aliases included', () => {
  expect(problems(Timezone, 'Asia/Calcutta')).toEqual([])
  expect(problems(Timezone, 'Mars/Olympus')).toEqual(['The some field field must be a valid timezone.'])
})

test('a moment carries its offset', () => {
  expect(Moment.parse('2026-11-20T21:04:11+01:00').toISOString()).toBe('2026-11-20T20:04:11.000Z')
  for (const value of ['2026-11-20', '2026-13-01T00:00:00Z', 'tomorrow', '2026-11-20T21:04:11'])
    expect(problems(Moment, value)).toEqual(['The some field field must be a valid date.'])
})

test('an address longer than the limit or without a host is no e-mail', () => {
  expect(problems(Email(254), 'ana@example.com')).toEqual([])
  expect(problems(Email(254), 'ana@')).toEqual(['The some field field must be a valid email address.'])
  expect(problems(Email(20), `${'a'.repeat(30)}@example.com`)).toContain(
    'The some field field must not be greater than 20 characters.',
  )
})
