import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { withoutAddress } from './accounts/account-fields.ts'
import { idMax } from './limits.ts'
import { operations } from './operations.ts'
import { validationBody } from './sentences.ts'
import {
  AnyTimezone,
  Email,
  Emoji,
  Flag,
  Id,
  Moment,
  OptionalId,
  Paging,
  PlaceTimezone,
  shortText,
  Timezone,
  text,
} from './words.ts'
import { allZones } from './zones.ts'

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

  test.each([0, '0', null, undefined])('an id that is optional is absent as %j', value => {
    expect(OptionalId.parse(value)).toBe(undefined)
  })

  test('an id that is optional is an id like any other', () => {
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

test.each([
  ['Meet at Bhf.Nord/Süd at six', 'Bhf.Nord/Süd'],
  ['Look at https://evil.example now', 'https://evil.example'],
  ['www.evil.example', 'www.evil.example'],
])('%j is refused with the address in it', (value, found) => {
  expect(problems(withoutAddress(text(100)), value)).toEqual([
    `The some field field must not contain a web address: ${found}.`,
  ])
})

describe('a text', () => {
  test('counts what people see as characters, not UTF-16 units', () => {
    expect(problems(text(3), '😀😀😀')).toEqual([])
    expect(problems(text(3), '😀😀😀😀')).toEqual(['The some field field must not be greater than 3 characters.'])
    expect(problems(text(9, 3), '😀😀')).toEqual(['The some field field must be at least 3 characters.'])
  })

  test.each(['a\0b', '\ud800', 'x\udfff'])('a text that cannot be stored is refused: %j', value => {
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

test.each(['👍', '❤️', '👩🏽‍🚀', '🇪🇸', '1️⃣', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '👁️‍🗨️', '☝🏽', '🕵🏽‍♂️', '👨‍👩‍👧‍👦'])('%s is one emoji', value =>
  expect(Emoji.parse(value)).toBe(value),
)
test.each([
  ['\u2764', '\u2764\ufe0f'],
  ['\u2764\ufe0e', '\u2764\ufe0f'],
  ['\u2764\ufe0f\ufe0f', '\u2764\ufe0f'],
  ['\u263a', '\u263a\ufe0f'],
  ['👍\ufe0f', '👍'],
  ['🏳\u200d🌈', '🏳\ufe0f\u200d🌈'],
  ['🏳\u200d🌈\ufe0f', '🏳\ufe0f\u200d🌈'],
  ['❤\u200d🔥', '❤\ufe0f\u200d🔥'],
  ['🏃\u200d♀', '🏃\u200d♀\ufe0f'],
  ['👁\u200d🗨', '👁\ufe0f\u200d🗨\ufe0f'],
  ['1\u20e3', '1\ufe0f\u20e3'],
  ['☝\ufe0f🏽', '☝🏽'],
])('%j is stored in the spelling that all share', (given, stored) => expect(Emoji.parse(given)).toBe(stored))
test('every emoji that there is keeps its spelling, and has it without its variation selectors', () => {
  for (const emoji of everyEmoji) {
    expect(Emoji.parse(emoji)).toBe(emoji)
    expect(Emoji.parse(emoji.replaceAll('\ufe0f', ''))).toBe(emoji)
  }
})
test.each(['a', '👍👍', '1', '1\ufe0f', '#', '\ufe0f', '❤❤', ':)', '👍 '])('%j is not one emoji', value => {
  expect(problems(Emoji, value)).toEqual(['The selected some field is invalid.'])
})

/** Single code points, and emoji with a heart, a sign or a flag appended. */
const everyEmoji = Array.from({ length: 0x1fbff }, (_, code) => String.fromCodePoint(code)).flatMap(letter =>
  ['', '\ufe0f', '\u200d♀\ufe0f', '\ufe0f\u200d♂\ufe0f', '\u200d🚀', '🏽', '🏽\u200d♂\ufe0f']
    .map(more => letter + more)
    .filter(emoji => /^\p{RGI_Emoji}$/v.test(emoji)),
)

test.each(['👻', '李', '\ue000', 'ـ'])('%j is a name', name => expect(shortText(10).parse(name)).toBe(name))
test.each([
  '\u200b',
  '\u3164',
  '\u115f\u1160',
  '\u2800',
  '\u00ad',
  '\u034f',
  '\u2060\ufeff',
  '\u0301',
  '\u202e',
  '\u00a0',
])('%j is no name', name => expect(problems(shortText(10), name)).toEqual(['The some field field is required.']))

test('a length counts composed letters', () => {
  expect(problems(text(10), 'e\u0301'.repeat(10))).toEqual([])
  expect(problems(text(10), '👍'.repeat(10))).toEqual([])
  expect(problems(text(10), 'e\u0301'.repeat(11))).toEqual([
    'The some field field must not be greater than 10 characters.',
  ])
  expect(problems(text(10, 2), 'e\u0301')).toEqual(['The some field field must be at least 2 characters.'])
})

test.each([
  'a..b@docomo.ne.jp',
  'ab.@docomo.ne.jp',
  '.ab@docomo.ne.jp',
  'a&b@example.com',
  'jörg@example.com',
  'ana@münchen.de',
  '山田@例え.jp',
  'अजय@डाटा.भारत',
  "o'neill+party@mail.example.co.uk",
  '1234567890@qq.com',
  'a@b.museum',
  '_@x-y.io',
  '!#$%&*+/=?^_`{|}~-@example.com',
  `${'a'.repeat(64)}@example.com`,
])('%s is an e-mail address', value => expect(Email(254).parse(value)).toBe(value))
test('an e-mail address has one spelling', () =>
  expect(Email(254).parse('jo\u0308rg@xn--mnchen-3ya.de')).toBe('jörg@münchen.de'))
test.each([
  'ana',
  '@example.com',
  'ana@',
  'ana@example',
  'ana@@example.com',
  'a@b@example.com',
  'ana@example..com',
  'ana@.example.com',
  'ana@example.com.',
  'ana@-example.com',
  'ana@example-.com',
  'ana@127.0.0.1',
  'ana@[127.0.0.1]',
  'ana@example.c',
  'an a@example.com',
  'ana@exam ple.com',
  'ana@example.com\r\nBcc: all@example.com',
  'ana,bob@example.com',
  '<ana@example.com>',
  '"ana"@example.com',
  'ana\u200b@example.com',
  'ana@example_x.com',
  `${'a'.repeat(65)}@example.com`,
])('%j is no e-mail address', value =>
  expect(problems(Email(254), value)).toEqual(['The some field field must be a valid email address.']),
)

describe('a time zone', () => {
  const wrong = ['The some field field must be a valid timezone.']

  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['US/Pacific', 'US/Pacific'],
    ['UTC', 'UTC'],
    ['GMT', 'GMT'],
    ['Etc/GMT-2', 'Etc/GMT-2'],
    ['EST5EDT', 'EST5EDT'],
    ['+02:00', 'Etc/GMT-2'],
    ['+0200', 'Etc/GMT-2'],
    ['+02', 'Etc/GMT-2'],
    ['GMT+0200', 'Etc/GMT-2'],
    ['GMT+02:00', 'Etc/GMT-2'],
    ['UTC+2', 'Etc/GMT-2'],
    ['UTC-11', 'Etc/GMT+11'],
    ['-05:00', 'Etc/GMT+5'],
    ['\u221205:00', 'Etc/GMT+5'],
    ['+00:00', 'UTC'],
    ['-00:00', 'UTC'],
    ['GMT+0', 'UTC'],
    ['Z', 'UTC'],
    ['+05:30', 'Asia/Kolkata'],
    ['GMT+0545', 'Asia/Kathmandu'],
    ['-03:30', 'America/St_Johns'],
    ['+02:17', 'Etc/GMT-2'],
    ['CEST', 'Europe/Berlin'],
    ['cest', 'Europe/Berlin'],
    ['PDT', 'America/Los_Angeles'],
    ['PST', 'America/Los_Angeles'],
    ['BST', 'Europe/London'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['Pacific Daylight Time', 'America/Los_Angeles'],
    ['Central European Summer Time', 'Europe/Warsaw'],
    ['(UTC+01:00) Amsterdam, Berlin, Bern', 'Etc/GMT-1'],
  ])('%s is %s, of a device and of a place', (given, zone) => {
    expect([Timezone.parse(given), PlaceTimezone.parse(given)]).toEqual([zone, zone])
  })

  test.each([
    'Etc/Unknown',
    'Berlin',
    'Mitteleuropäische Sommerzeit',
    'America/Newtown',
    'America/Argentina/Newtown',
    'Europe/Entenhausen',
    'Etc/GMT+15',
  ])('%s is UTC of a device, whose list may be newer, and none of a place', given => {
    expect(Timezone.parse(given)).toBe('UTC')
    expect(problems(PlaceTimezone, given)).toEqual(wrong)
  })

  test.each([
    'Mars/Phobos',
    'Mars/Base',
    '12',
    '2',
    '+25:00',
    '+15:00',
    'America/',
    '/',
    'Europe/Berlin/a/b',
    'Europe/../x',
  ])('is not %s', given => {
    expect(problems(Timezone, given)).toEqual(wrong)
    expect(problems(PlaceTimezone, given)).toEqual(wrong)
  })

  test('every zone that it becomes is one that the platform knows, and no offset', () => {
    for (const zone of allZones) {
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone }), zone).not.toThrow()
      expect(zone).toMatch(/^[A-Z]/)
    }
    for (const zone of Intl.supportedValuesOf('timeZone')) expect(PlaceTimezone.parse(zone)).toBe(zone)
  })

  test('a time zone of a device that joins by a link may be anything', () => {
    for (const given of ['Mars/Phobos', '', 7, {}, ['a'], 'x'.repeat(500)]) expect(AnyTimezone.parse(given)).toBe('UTC')
    expect(AnyTimezone.parse('CEST')).toBe('Europe/Berlin')
    expect([AnyTimezone.parse(undefined), AnyTimezone.parse(null)]).toEqual([undefined, undefined])
  })
})

test('a moment carries its offset', () => {
  expect(Moment.parse('2026-11-20T21:04:11+01:00').toISOString()).toBe('2026-11-20T20:04:11.000Z')
  for (const value of ['2026-11-20', '2026-13-01T00:00:00Z', 'tomorrow', '2026-11-20T21:04:11'])
    expect(problems(Moment, value)).toEqual(['The some field field must be a valid date.'])
  // Years beyond four digits.
  for (const value of ['9999-12-31T23:59:59-14:00', '0000-01-01T00:00:00+14:00'])
    expect(problems(Moment, value)).toEqual(['The some field field must be a valid date.'])
})

test('an address longer than the limit or without a host is no e-mail', () => {
  expect(problems(Email(254), 'ana@example.com')).toEqual([])
  expect(problems(Email(254), 'ana@')).toEqual(['The some field field must be a valid email address.'])
  expect(problems(Email(20), `${'a'.repeat(30)}@example.com`)).toContain(
    'The some field field must not be greater than 20 characters.',
  )
})

test('no field of an operation is refused in the words of the library that checks it', () => {
  const wrong = operations.flatMap(({ name, input }) =>
    Object.keys((input as z.ZodObject).shape).flatMap(field =>
      ['no such value', {}, []].flatMap(value =>
        (input.safeParse({ [field]: value }).error?.issues ?? [])
          .filter(({ path, message }) => path[0] === field && /^Invalid|expected/.test(message))
          .map(({ message }) => `${name} ${field}: ${message}`),
      ),
    ),
  )
  expect(wrong).toEqual([])
})
