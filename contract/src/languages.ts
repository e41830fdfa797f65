/**
 * What an instance speaks: one more is a word here and a file each in `server/src/words` and `web/src/words`. The first is
 * everybody's who asks for none of them, unless the operator says otherwise.
 */
export const languages = ['en', 'es', 'de', 'ar'] as const
export type Language = (typeof languages)[number]
