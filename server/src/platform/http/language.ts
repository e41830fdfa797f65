import { type Locale, languages, localeOf } from '@afterglow/contract/languages'

const rangesMax = 20

// Parsing a browser's header takes 5 µs of every request, and an app always sends the same one.
const kept = new Map<string, Locale | undefined>()
const keptMax = 1000
const keptLengthMax = 100

/** The preferred language according to Accept-Language (RFC 9110): the supported language with the highest weight, in its region. */
export const languageOf = (header: string | undefined): Locale => languageAsked(header) ?? languages[0]

/** The same; undefined if none of the requested languages is supported. */
export const languageAsked = (header: string | undefined): Locale | undefined => {
  if (!header) return undefined
  if (kept.has(header)) return kept.get(header)
  const language = read(header)
  if (kept.size >= keptMax) kept.clear()
  if (header.length <= keptLengthMax) kept.set(header, language)
  return language
}

const read = (header: string): Locale | undefined => {
  const wanted = header.split(',', rangesMax).map(range => {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
    const weight = parameters.map(each => /^\s*q=(\d(?:\.\d{1,3})?)\s*$/.exec(each)?.[1]).find(Boolean)
    return { locale: localeOf(tag), weight: Number(weight ?? 1) }
  })
  return wanted.sort((a, b) => b.weight - a.weight).find(({ locale, weight }) => weight > 0 && locale)?.locale
}
