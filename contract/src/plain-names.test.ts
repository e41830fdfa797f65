import { expect, test } from 'vitest'
import { plainName } from './plain-names.ts'

test.each([
  ['Ol\u200bivia', 'Olivia'],
  ['Ol\u200divia', 'Olivia'],
  ['Oli\u00advia\ufeff', 'Olivia'],
  ['Olivia\u3164', 'Olivia'],
  ['\u202eaivilO\u202c', 'aivilO'],
  ['\u2067Olivia\u2069\u200f', 'Olivia'],
  ['Olivia\nOrganizer', 'Olivia Organizer'],
  ['Olivia \u2028\r\n Organizer', 'Olivia Organizer'],
  ['Olivia\u0007\u0000', 'Olivia'],
  ['Olivia    Ortega', 'Olivia Ortega'],
  [`O${'\u0300'.repeat(60)}livia`, `O${'\u0300'.repeat(4)}livia`],
  [`O${'\u0300\u034f'.repeat(9)}`, `O${'\u0300'.repeat(4)}`],
  ['\u0301Olivia', 'Olivia'],
  ['Olivia\u{e0041}\u{e0042}', 'Olivia'],
  ['Olivia\ufe0f', 'Olivia'],
  ['\u2800\u2800', ''],
  ['\u{13441}\u{1d159}\ufffc', ''],
  ['Nguye\u0302\u0303n', 'Nguyễn'],
  ['Jo\u0308rg', 'Jörg'],
])('%j is kept as %j', (given, kept) => expect(plainName(given)).toBe(kept.normalize()))

test.each([
  'Anna-Lena Müller',
  'Nguyễn Thị Ánh',
  'نام‌خانوادگی',
  'श्री‍मती',
  'ශ්‍රී',
  'ກຳ',
  'שָׁלוֹם',
  'སྒྲུབ',
  '山田　太郎',
  '👨‍👩‍👧‍👦❤️‍🔥',
  '🏳️‍🌈 1️⃣ ☀️',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'O’Brien & Söhne (12)',
])('%s stays as it is', name => expect(plainName(name)).toBe(name))
