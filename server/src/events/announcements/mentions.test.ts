import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addedMentions, mentionsIn } from './mentions.ts'

const longest = (text: string) => mentionsIn(text).map(([name]) => name)

test.each<[string, string[]]>([
  ['@gus', ['gus']],
  ['Hi @Gus, and @ana.b!', ['gus', 'ana.b']],
  ['(@gus) "@gus" @gus\n@gus…', ['gus', 'gus', 'gus', 'gus']],
  ['Hello!@gus', ['gus']],
  ["@gus's cake", ['gus']],
  ['@gus，@ana。', ['gus', 'ana']],
  ['🎉@gus🎉', ['gus']],
  ['write to gus@example.com or a.b@gus.com', []],
  ['@gus@example.social', []],
  ['https://example.com/@gus', []],
  ['@@gus', []],
  ['é@gus and 日@gus', []],
  ['@gusé', []],
  ['@gu and @', []],
  [`@${'x'.repeat(64)} @${'y'.repeat(65)}`, ['x'.repeat(64)]],
])('%s mentions %s', (text, names) => {
  expect(longest(text)).toEqual(names)
})

test('full stops after a name may belong to it or not', () => {
  expect(mentionsIn('@gus.._ and @gus.b.')).toEqual([
    ['gus.._', 'gus..', 'gus.', 'gus'],
    ['gus.b.', 'gus.b'],
  ])
  // A longer name is not cut short: that would be somebody else.
  expect(mentionsIn('@gus.b').flat()).not.toContain('gus')
  expect(mentionsIn(`@abc${'.'.repeat(5000)}`)[0]).toHaveLength(62)
})

const username = fc.stringMatching(/^[A-Za-z0-9._-]{3,64}$/)
/** Characters that may adjoin a name without making it part of something longer. */
const apart = fc.constantFrom(' ', '\n', '(', ')', ',', '!', '?', ':', ';', '"', '…', '🎉', '「', '。')

test('a name between spaces or punctuation is a mention, in any case', () => {
  fc.assert(
    fc.property(fc.string(), username, apart, apart, fc.string(), (before, name, left, right, after) => {
      expect(mentionsIn(`${before}${left}@${name}${right}${after}`).flat()).toContain(name.toLowerCase())
    }),
  )
})

test('a letter, a digit or an address around a name hides it', () => {
  const before = fc.constantFrom('a', '7', 'é', 'ß', '日', '_', '@', '+', '/')
  const behind = fc.constantFrom('a', '7', 'é', 'ß', '日', '@')
  fc.assert(
    fc.property(username, before, behind, (name, left, right) => {
      expect(mentionsIn(`${left}@${name}`)).toEqual([])
      expect(mentionsIn(`@${name}${right}`).flat()).not.toContain(name.toLowerCase())
    }),
  )
})

test('every possible name is a username that stands in the text, and hostile text takes no time', () => {
  const hostile = fc.array(fc.constantFrom('@', '.', '-', '_', 'a', 'B', 'é', ' ', '@a.b'), { maxLength: 2000 })
  fc.assert(
    fc.property(hostile, pieces => {
      const text = pieces.join('')
      const start = performance.now()
      for (const name of mentionsIn(text).flat()) {
        expect(name).toMatch(/^[a-z0-9._-]{3,64}$/)
        expect(text.toLowerCase()).toContain(`@${name}`)
      }
      expect(performance.now() - start).toBeLessThan(500)
    }),
    { numRuns: 50 },
  )
})

test('an edit mentions whom the text did not mention before', () => {
  expect(addedMentions('Hi @gus', 'Hi @gus and @ana')).toEqual([['ana']])
  expect(addedMentions('Hi @gus', 'Hi @GUS.')).toEqual([['gus.']])
  expect(addedMentions('Hi @gus', 'Hi @gus @Gus')).toBeUndefined()
  expect(addedMentions('Hi @gus', 'Hi')).toBeUndefined()
})
