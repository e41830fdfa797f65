import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hourOf, spanOf, timeOf } from '../src/app/date-format.ts'
import { speak, t } from '../src/app/words.ts'

const source = join(import.meta.dirname, '../src')
type Tree = { [key: string]: string | Tree }
const readWords = (language: string, folder = join(source, 'words')): { [key: string]: Tree } =>
  JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8'))
const flat = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : flat(value, `${path}${key}.`),
  )
const wordsOf = (language: string, folder?: string) => {
  const { refusals: _, direction: __, ...words } = readWords(language, folder)
  return new Map(flat(words))
}
const refusalsOf = (language: string) => flat(readWords(language).refusals ?? {}, 'refusals.')
const forms = /_(?:zero|one|two|few|many|other)$/
const english = wordsOf('en')
const languages = readdirSync(join(source, 'words')).map(name => name.replace('.json', ''))
const counted = new Set([...english.keys()].filter(key => forms.test(key)).map(key => key.replace(forms, '')))
const plain = [...english.keys()].filter(key => !forms.test(key))

const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
  .map(name => readFileSync(join(source, name), 'utf8'))
  .join('\n')
const said = new Set([...code.matchAll(/\bt\(\s*'([\w.]+)'/g)].map(([, word]) => word as string))
/** Keys that contain a value, such as `events.filter.${each}`. */
const saidBy = [...code.matchAll(/\bt\(\s*`([\w.]+)\$\{/g)].map(([, start]) => start as string)

test('the client speaks English, Spanish, German and Arabic', () =>
  expect(languages.sort()).toEqual(['ar', 'de', 'en', 'es']))

test.each(languages)('%s has every text in every plural form that it needs, and no other', language => {
  const rules = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const needed = [...plain, ...[...counted].flatMap(word => rules.map(rule => `${word}_${rule}`))]
  expect([...wordsOf(language).keys()].sort()).toEqual(needed.sort())
})

test.each(languages)('%s uses the same values in its texts as English', language => {
  const values = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()
  for (const [key, text] of wordsOf(language)) {
    const base = key.replace(forms, '')
    const there = values(english.get(key) ?? english.get(`${base}_other`) ?? '')
    // “One person” may go without its number.
    const own = values(text)
    expect([key, own.filter(name => name !== 'count')]).toEqual([key, there.filter(name => name !== 'count')])
    if (!counted.has(base)) expect([key, own]).toEqual([key, there])
  }
})

test('every text is used, and every used text exists', () => {
  const all = [...plain, ...counted]
  const unsaid = all.filter(word => !said.has(word) && !saidBy.some(start => word.startsWith(start)))
  expect(unsaid).toEqual([])
  expect([...said].filter(word => !all.includes(word))).toEqual([])
})

/** Sentences that quote a label elsewhere: the label must have the same words. */
const quotes = {
  'patience.about': ['trace.why'],
  'links.alreadyMore': ['nav.you', 'transfer.title'],
  'transfer.dead': ['nav.you'],
}

test.each(languages)('%s quotes its own labels exactly', language => {
  const words = wordsOf(language)
  for (const [sentence, quoted] of Object.entries(quotes))
    for (const word of quoted) expect(words.get(sentence)).toContain(words.get(word))
})

/** One word for one thing, as docs/terms.md lists them: replaced words, and developers' terms. */
const foreign: Record<string, RegExp> = {
  en: /organi[sz]er|picture|everybody|nobody|somebody|whoever|\bby it\b|put back|bring back|live wall|big screen|in charge/i,
  de: /organisator|organisiert|veranstaltung|gastgeber|live-wand|leinwand|klingel|ansage|benachrichtigung/i,
  es: /organiza|\bmuro\b|a cargo|responsable|anuncio/i,
  ar: /منظ|الجدار|رنّ/,
}

test.each(languages)('%s has one word for one thing, in the client, its mails and its notifications', language => {
  const server = wordsOf(language, join(import.meta.dirname, '../../server/src/words'))
  const said = [...wordsOf(language), ...refusalsOf(language), ...server]
  expect(said.filter(([, text]) => foreign[language]?.test(text))).toEqual([])
})

test('a name in the other direction is isolated, and cannot turn the text around it', () => {
  const told = (language: string, name: string) => {
    speak(language, JSON.parse(readFileSync(join(source, `words/${language}.json`), 'utf8')))
    return t('wall.justAdded', { name, count: 12 })
  }
  expect(told('en', 'Anna')).toBe('Anna just added 12 photos')
  expect(told('en', 'محمد')).toBe('\u2068محمد\u2069 just added 12 photos')
  expect(told('en', '\u202eannA\u2069')).toBe('annA just added 12 photos')
  expect(told('ar', 'Anna')).toContain(' \u2068Anna\u2069')
  expect(told('ar', 'محمد')).toContain(' محمد')
})

test('no line breaks within a time', () => {
  const at = '2027-06-21T19:00:00Z'
  for (const language of languages) {
    speak(language, {})
    const spans = [spanOf(at, null, 'UTC'), spanOf(at, '2027-06-21T21:00:00Z', 'UTC')]
    const torn = [
      ...[timeOf(at), hourOf(at)].filter(each => / /.test(each)),
      ...spans.filter(each => /\d (?:[AP]M|Uhr|[صم])/.test(each)),
    ]
    expect([language, torn]).toEqual([language, []])
  }
})
