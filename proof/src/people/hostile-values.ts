import type { Random } from '../random.ts'

/** Field values that clients never send and attackers do. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  '\u202eevil\u202c',
  'Z̸̢̛͎a̶l̷g̵o̴',
  '👩‍👩‍👧‍👦',
  '<script>alert(1)</script>',
  '"; drop table users; --',
  "' or 1=1 --",
  '%00',
  '%',
  '_',
  '\\',
  '$(id)',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an attacker's text.
  '${jndi:ldap://x}',
  '../../etc/passwd',
  'a'.repeat(70_000),
  '٣',
  '１２',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  '\r\nx-injected: 1',
  '\ufeff',
]

export const hostileIds: readonly string[] = [
  '0',
  '-1',
  '1.5',
  '0x10',
  '1e3',
  '+1',
  '007',
  '2147483648',
  '9007199254740992',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '１',
  '%00',
  'abc',
  '1,2',
  '[1]',
  '',
  ' 1',
  '-0',
  '99999999999999999999999999',
]

const hostileOthers: readonly unknown[] = [null, [], {}, [[]], true, -1, 1.5, 1e308, 2 ** 63, ['a', 'b'], { id: 1 }]

export const hostileValue = (random: Random): unknown =>
  random.weighted<() => unknown>([
    [4, () => random.pick(hostileTexts)],
    [4, () => random.pick(hostileIds)],
    [2, () => random.pick(hostileOthers)],
  ])()

/** Bodies that are not JSON, or JSON of a wrong shape. */
export const hostileBodies: readonly string[] = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '1',
  '{"a":1,}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"message_content":"a","message_content":"b"}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '\ufeff{}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '{"a":1e400}',
  '{"a":123456789012345678901234567890}',
  `{"a":"${'x'.repeat(80_000)}"}`,
  'a=1&b=2',
  '\xff\xfe',
]
