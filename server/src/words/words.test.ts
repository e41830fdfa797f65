import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '@afterglow/contract/languages'
import { notificationKinds } from '@afterglow/contract/notifications'
import { pushServices, reasonCodes } from '@afterglow/contract/reasons'
import { expect, test } from 'vitest'
import { isSaid, say } from './words.ts'

type Tree = { [key: string]: string | Tree }
const wordsOf = (language: string) => {
  const words = new Map<string, string>()
  const walk = (tree: Tree, path: string) => {
    for (const [key, value] of Object.entries(tree))
      if (typeof value === 'string') words.set(path + key, value)
      else walk(value, `${path}${key}.`)
  }
  walk(JSON.parse(readFileSync(join(import.meta.dirname, `${language}.json`), 'utf8')), '')
  return words
}
const forms = /_(?:zero|one|two|few|many|other)$/
const english = wordsOf('en')
const counted = new Set([...english.keys()].filter(key => forms.test(key)).map(key => key.replace(forms, '')))
const plain = [...english.keys()].filter(key => !forms.test(key))

test('every language of the instance has a file, and every file a language', () => {
  const files = readdirSync(import.meta.dirname).filter(name => name.endsWith('.json'))
  expect(files.map(name => name.replace('.json', '')).sort()).toEqual([...languages].sort())
})

test.each(languages)('%s has every sentence in every form that its numbers need, and no other', language => {
  const rules = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const needed = [...plain, ...[...counted].flatMap(word => rules.map(rule => `${word}_${rule}`))]
  expect([...wordsOf(language).keys()].sort()).toEqual(needed.sort())
})

test.each(languages)('%s puts the same values into its sentences as English', language => {
  const values = (text: string) =>
    [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).filter(n => n !== 'count')
  for (const [key, text] of wordsOf(language)) {
    const there = english.get(key) ?? english.get(key.replace(forms, '_other')) ?? ''
    expect([key, values(text).sort()]).toEqual([key, values(there).sort()])
  }
})

test.each(languages)('%s has words for every kind of notification, every reason and every push service', language => {
  const paths = [
    ...notificationKinds.map(kind => `notifications.${kind}.title`),
    ...reasonCodes.map(code => `reasons.${code}`),
    ...pushServices.map(service => `pushServices.${service}`),
  ]
  expect(paths.filter(path => !isSaid(language, path))).toEqual([])
})

test('a name in the other direction is isolated, and cannot reorder anything around it', () => {
  const told = (language: 'en' | 'ar', actor: string) => say(language, 'notifications.photo_like.body', { actor })
  expect(told('en', 'Olivia')).toBe('Olivia likes your photo.')
  expect(told('en', 'محمد')).toBe('\u2068محمد\u2069 likes your photo.')
  expect(told('ar', 'Olivia')).toBe('أُعجب \u2068Olivia\u2069 بصورتك.')
  expect(told('ar', 'محمد')).toBe('أُعجب محمد بصورتك.')
  expect(told('en', '\u202eaivilO\u2069')).toBe('aivilO likes your photo.')
  expect(told('en', '{{event}}')).toBe('{{event}} likes your photo.')
})
