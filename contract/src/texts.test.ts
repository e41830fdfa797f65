import { describe, expect, test } from 'vitest'
import { directionOf, isolated, piecesOf } from './texts.ts'

describe('a name in a sentence', () => {
  test.each(['محمد', 'דוד', 'ܡܪܝܡ', 'މުހައްމަދު', 'ߡߎߤߊߡߡߊߘߎ', '𞤃𞤵𞤸𞤢𞤥𞥆𞤢𞤣𞤵'])(
    '%s is kept apart where people read from the left, and not from the right',
    name => {
      expect(isolated(name, 'ltr')).toBe(`\u2068${name}\u2069`)
      expect(isolated(name, 'rtl')).toBe(name)
    },
  )

  test.each(['Anna', 'Ζωή', '花子', 'Ζ12'])('%s is kept apart where people read from the right', name => {
    expect(isolated(name, 'rtl')).toBe(`\u2068${name}\u2069`)
    expect(isolated(name, 'ltr')).toBe(name)
  })

  test.each(['\u200f', '\u200e', '\u061c', '\u202e', '\u2067', '\u2069'])('turns nothing around it by U+%#', mark => {
    expect(isolated(`An${mark}na`, 'ltr')).toBe('Anna')
  })
})

test('a text is texts and names of values in turn', () => {
  expect(piecesOf('{{name}} added {{count}} photos')).toEqual(['', 'name', ' added ', 'count', ' photos'])
  expect([directionOf('ar'), directionOf('de')]).toEqual(['rtl', 'ltr'])
})
