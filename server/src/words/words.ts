import { readFileSync } from 'node:fs'
import { type Language, languages } from '@afterglow/contract/languages'
import {
  type Direction,
  isolated,
  piecesOf,
  directionOf as readingDirectionOf,
  undirected,
} from '@afterglow/contract/texts'
import { zoneHere } from '@afterglow/contract/zones'

/*
 * What the service says to people: one file a language, with the same paths in each (words.test.ts). `{{name}}` stands for
 * a value; a path with `_one`, `_few` … has a form for each kind of number that its language knows.
 */

/** A part of another sentence in the same language, such as “14 photos”. */
export type Phrase = { phrase: string }
/** People's names and text, numbers, and phrases. `count` also selects the plural form. */
export type Values = Record<string, string | number | Phrase | undefined>

type Tree = { [key: string]: string | Tree }
/** Texts at even positions, names of values at odd ones. */
type Template = readonly string[]

type Voice = {
  language: Language
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

const open = (language: Language): Voice => ({
  language,
  direction: readingDirectionOf(language),
  templates: new Map(templatesOf(JSON.parse(readFileSync(new URL(`${language}.json`, import.meta.url), 'utf8')))),
  plural: new Intl.PluralRules(language),
  number: new Intl.NumberFormat(language),
  list: new Intl.ListFormat(language),
  seconds: new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'long' }),
})

const voices = new Map<Language, Voice>()
const voiceOf = (language: Language): Voice => {
  const known = voices.get(language) ?? open(languages.includes(language) ? language : languages[0])
  voices.set(language, known)
  return known
}

export const directionOf = (language: Language) => voiceOf(language).direction

const templateFor = ({ templates, plural }: Voice, path: string, count: unknown) =>
  (typeof count === 'number' && templates.get(`${path}_${plural.select(count)}`)) || templates.get(path)

/** Whether there is text for that path, in some plural form or none. */
export const isSaid = (language: Language, path: string): boolean => {
  const { templates } = voiceOf(language)
  return templates.has(path) || templates.has(`${path}_other`)
}

/** The sentence of a path. `place` determines how a name or other user text is inserted. */
export const say = (
  language: Language,
  path: string,
  values: Values = {},
  place: (words: string, direction: Direction) => string = isolated,
): string => {
  const voice = voiceOf(language)
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
    const value = at % 2 === 0 ? { phrase: piece } : values[piece]
    if (typeof value === 'string') said += place(value, voice.direction)
    else if (typeof value === 'number') said += voice.number.format(value)
    else said += value?.phrase ?? ''
  }
  return said
}

export const listOf = (language: Language, parts: readonly string[]): Phrase => ({
  phrase: voiceOf(language).list.format(parts),
})

export const secondsIn = (language: Language, seconds: number): Phrase => ({
  phrase: voiceOf(language).seconds.format(seconds),
})

// ---- moments ----

const formats = new Map<string, Intl.DateTimeFormat>()
const formatsMax = 1000

/** A moment in a time zone: day and time. */
export const momentIn = (language: Language, at: Date, timeZone: string): Phrase => {
  const key = `${language} ${timeZone}`
  let format = formats.get(key)
  if (!format) {
    if (formats.size >= formatsMax) formats.clear()
    format = new Intl.DateTimeFormat(language, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: zoneHere(timeZone),
    })
    formats.set(key, format)
  }
  return { phrase: format.format(at) }
}
