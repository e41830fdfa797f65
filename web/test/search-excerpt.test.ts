import { expect, test } from 'vitest'
import { excerptOf, foundIn } from '../src/chats/highlight.ts'

const excerpt = (text: string, search: string) =>
  excerptOf(foundIn(text, search))
    .map(({ text, found }) => (found ? `[${text}]` : text))
    .join('')

test('a match far into a message is in its excerpt, with some text before it', () => {
  const long = 'We walked around the whole lake, and then along the river, until we saw the Lántern above the water.'
  expect(excerpt(long, 'lantern')).toBe('… we saw the [Lántern] above the water.')
  expect(excerpt(`${'w'.repeat(80)} (OK)!`, 'ok')).toBe(`… ${'w'.repeat(80)} ([OK])!`)
})

test('a match near the beginning is shown from the beginning', () => {
  expect(excerpt('Save me a lantern, and another lantern for Rita who is late', 'lan')).toBe(
    'Save me a [lantern], and another [lantern] for Rita who is late',
  )
  expect(excerpt('Nothing of it', 'zzz')).toBe('Nothing of it')
})
