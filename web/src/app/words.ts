import { directionOf, isolated, piecesOf } from '@afterglow/contract/texts'
import type en from '../words/en.json'
import { openStore, useStore } from './store.ts'

/* The client's texts. A key is a path into words/en.json; every other language has the same paths. */

type Paths<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Key : `${Key}.${Paths<Tree[Key]>}`
}[keyof Tree & string]
type Counted<Path> = Path extends `${infer Base}_${Intl.LDMLPluralRule}` ? Base : Path
export type Word = Counted<Paths<Omit<typeof en, 'refusals'>>>
/** The values for `{{name}}`; `count` also selects the plural form. */
export type Values = Record<string, string | number | undefined>

export type Tree = { [key: string]: string | Tree }
export type Speech = {
  language: string
  /** The language as the reader's region writes it: dates, times and numbers are British in Britain. */
  locale: string
  words: Tree
  plural: Intl.PluralRules
  number: Intl.NumberFormat
  /** The text of a path. */
  t(word: Word, values?: Values): string
}

/** The browser's own tag for a language, else the language in the browser's region. */
export const localeIn = (language: string): string => {
  try {
    const tags = navigator.languages.map(tag => new Intl.Locale(tag))
    const own = tags.filter(tag => tag.language === language)
    const tag = own.find(({ region }) => region) ?? own[0]
    if (tag) return tag.toString()
    const region = tags.find(tag => tag.region)?.region
    return region ? `${language}-${region}` : language
  } catch {
    // Not a valid tag, as some systems report.
    return language
  }
}

/** Plural rules are created on demand: 25 ms of a slow phone each. */
const speechOf = (language: string, words: Tree): Speech => {
  const locale = localeIn(language)
  let plural: Intl.PluralRules | undefined
  let number: Intl.NumberFormat | undefined
  const made: Speech = {
    language,
    locale,
    words,
    t: (word, values) => textOf(made, word, values),
    get plural() {
      plural ??= new Intl.PluralRules(language)
      return plural
    },
    get number() {
      number ??= new Intl.NumberFormat(locale)
      return number
    },
  }
  return made
}

/** The current language; no texts before it is loaded. */
export const speech = openStore<Speech>(speechOf('en', {}))
export const speak = (language: string, words: Tree) => speech.set(speechOf(language, words))

/** Every path in the code leads to a text: a test checks it. */
const find = (words: Tree, path: string) =>
  path.split('.').reduce((at: Tree | undefined, part) => at?.[part] as Tree | undefined, words) as string | undefined

const textOf = (speech: Speech, word: string, values: Values = {}): string => {
  const { count } = values
  const form = typeof count === 'number' ? `${word}_${speech.plural.select(count)}` : word
  const found = find(speech.words, form) ?? find(speech.words, word) ?? word
  const put = (name: string) => {
    const value = values[name] ?? ''
    // A number after a right-to-left name would join it and change sides.
    return typeof value === 'number' ? speech.number.format(value) : isolated(value, directionOf(speech.language))
  }
  return piecesOf(found)
    .map((piece, at) => (at % 2 === 0 ? piece : put(piece)))
    .join('')
}

/** For texts outside a component. */
export const t: Speech['t'] = (word, values) => speech.get().t(word, values)

/** For components: they render again when the language changes, and until then `t` is the same. */
export const useWords = (): Pick<Speech, 'language' | 't'> => useStore(speech)
