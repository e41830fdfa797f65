/**
 * The supported languages. To add one, list it here and add a file to `server/src/words` and `web/src/words`. The first
 * is the default, unless the operator configures another.
 */
export const languages = ['en', 'es', 'de', 'ar'] as const
export type Language = (typeof languages)[number]
