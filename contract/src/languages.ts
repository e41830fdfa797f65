/**
 * The supported languages. To add one, list it here and add a file to `server/src/words` and `web/src/words`. The first
 * is the default, unless the operator configures another.
 */
export const languages = ['en', 'es', 'de', 'ar'] as const
export type Language = (typeof languages)[number]

/** A supported language as a region writes it (BCP 47), such as `en-GB`; without one where none is known. */
export type Locale = Language | `${Language}-${string}`

export const languageIn = (locale: Locale): Language =>
  languages.find(each => each === locale.split('-')[0]) ?? languages[0]

/** The locale of any tag, such as `de-AT` of `de-AT-u-ca-gregory` or `de_AT`; undefined if the language is not supported. */
export const localeOf = (tag: string): Locale | undefined => {
  try {
    const { language, region } = new Intl.Locale(tag.trim().replaceAll('_', '-'))
    const ours = languages.find(each => each === language)
    return ours && region ? `${ours}-${region}` : ours
  } catch {
    return undefined
  }
}
