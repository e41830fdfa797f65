import { readFileSync } from 'node:fs'
import { type Language, type Locale, languageIn } from '@afterglow/contract/languages'
import {
  type Direction,
  isolated,
  piecesOf,
  directionOf as readingDirectionOf,
  undirected,
} from '@afterglow/contract/texts'

/*
 * The service's texts for people: one file per language, with the same paths in each (words.test.ts). `{{name}}` stands
 * for a value; a path with `_one`, `_few` … has a form for each plural category of its language.
 */

/** A part of another sentence in the same language, such as “14 photos”. */
export type Phrase = { phrase: string }
/** People's names and text, numbers, and phrases. `count` also selects the plural form. */
export type Values = Record<string, string | number | Phrase | undefined>

type Tree = { [key: string]: string | Tree }
/** Texts at even positions, names of values at odd ones. */
type Template = readonly string[]

type Voice = {
  direction: Direction
  templates: ReadonlyMap<string, Template>
  plural: Intl.PluralRules
  number: Intl.NumberFormat
  list: Intl.ListFormat
  seconds: Intl.NumberFormat
}

const templatesOf = (tree: Tree, path = ''): [string, Template][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, piecesOf(value)]] : templatesOf(value, `${path}${key}.`),
  )

const texts = new Map<Language, Voice['templates']>()
const textsIn = (language: Language) => {
  const file = new URL(`${language}.json`, import.meta.url)
  const known = texts.get(language) ?? new Map(templatesOf(JSON.parse(readFileSync(file, 'utf8'))))
  texts.set(language, known)
  return known
}

/** The words are the language's; numbers and lists are written as in the region. */
const open = (locale: Locale): Voice => ({
  direction: readingDirectionOf(languageIn(locale)),
  templates: textsIn(languageIn(locale)),
  plural: new Intl.PluralRules(languageIn(locale)),
  number: new Intl.NumberFormat(locale),
  list: new Intl.ListFormat(locale),
  seconds: new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'long' }),
})

const voices = new Map<Locale, Voice>()
const voicesMax = 200
const voiceOf = (locale: Locale): Voice => {
  const known = voices.get(locale) ?? open(locale)
  if (voices.size >= voicesMax) voices.clear()
  voices.set(locale, known)
  return known
}

export const directionOf = (locale: Locale) => voiceOf(locale).direction

const templateFor = ({ templates, plural }: Voice, path: string, count: unknown) =>
  (typeof count === 'number' && templates.get(`${path}_${plural.select(count)}`)) || templates.get(path)

/** Tells whether that path has text, in some plural form or none. */
export const isSaid = (locale: Locale, path: string): boolean => {
  const { templates } = voiceOf(locale)
  return templates.has(path) || templates.has(`${path}_other`)
}

/** The sentence of a path. `place` determines how a name or other user text is inserted. */
export const say = (
  locale: Locale,
  path: string,
  values: Values = {},
  place: (words: string, direction: Direction) => string = isolated,
): string => {
  const voice = voiceOf(locale)
  const template = templateFor(voice, path, values.count)
  // Something announced by another version of the service, whose text this one does not know: a list must show the
  // others.
  if (!template) return ''
  // User text alone is not a sentence of ours: nothing surrounds it.
  const [before, only = '', after] = template
  if (template.length === 3 && before === '' && after === '' && typeof values[only] === 'string')
    return place === isolated ? undirected(values[only]) : place(values[only], voice.direction)
  let said = ''
  for (const [at, piece] of template.entries()) {
    // An abbreviation at the end of a sentence (“1:00 p.m.”) has its full stop already.
    const ends = piece.startsWith('.') && said.endsWith('.')
    const value = at % 2 === 0 ? { phrase: ends ? piece.slice(1) : piece } : values[piece]
    if (typeof value === 'string') said += place(value, voice.direction)
    else if (typeof value === 'number') said += voice.number.format(value)
    else said += value?.phrase ?? ''
  }
  return said
}

export const listOf = (locale: Locale, parts: readonly string[]): Phrase => ({
  phrase: voiceOf(locale).list.format(parts),
})

export const secondsIn = (locale: Locale, seconds: number): Phrase => ({
  phrase: voiceOf(locale).seconds.format(seconds),
})
