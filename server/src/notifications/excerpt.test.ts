import { expect, test } from 'vitest'
import { excerpt, nameToRing } from './excerpt.ts'

test('an excerpt is the beginning, on one line, and cuts no character apart', () => {
  expect(excerpt('  two\n lines ')).toBe('two lines')
  expect(excerpt('👨‍👩‍👧‍👦'.repeat(121))).toBe(`${'👨‍👩‍👧‍👦'.repeat(120)}…`)
})

test.each([
  'Midsummer at the lake',
  'Party 24.12.2026, 19.30',
  'Anna & Bo v2',
  'Ünï çødé 🎉',
  'عيد ميلاد سعيد',
  'Wait... what?!',
  'Dinner at 8 p.m.',
])('“%s” rings as it is, but for a space behind a full stop', name => {
  expect(nameToRing(name).replaceAll(' ', '')).toBe(name.replaceAll(' ', ''))
})

test.each([
  ['https://evil.example/win', 'evil. example/win'],
  ['You won! www.evil.example', 'You won! www. evil. example'],
  ['evil.example?a=b', 'evil. example?a=b'],
  ['mail me@evil.example', 'mail me@evil. example'],
  ['http://10.0.0.1/x', '10. 0. 0. 1/x'],
  ['xn--80ak6aa92e.com', 'xn--80ak6aa92e. com'],
  ['пример.рф', 'пример. рф'],
  ['javascript://x', 'x'],
  ['https://', '…'],
])('of “%s” nobody can make a link', (name, rings) => {
  expect(nameToRing(name)).toBe(rings)
})

test('a long name is cut', () => {
  expect(nameToRing('x'.repeat(100))).toBe(`${'x'.repeat(60)}…`)
})
