import type { Locale } from '@afterglow/contract/languages'
import type { Reason } from '@afterglow/contract/reasons'
import { momentIn } from './moments.ts'
import { say, secondsIn } from './words.ts'

/** Reasons one after another, in a language and time zone. */
export const sayReasons = (language: Locale, given: readonly Reason[], timeZone = 'UTC'): string =>
  given
    .map(reason => {
      const { code, service, at, rings, ...numbers } = reason as { code: string } & Partial<
        Record<'service' | 'at', string> & Record<'rings' | 'status' | 'seconds' | 'tries', number>
      >
      return say(language, `reasons.${code}`, {
        ...numbers,
        // Unchanged, without a number's separators.
        ...(numbers.status !== undefined && { status: { phrase: String(numbers.status) } }),
        ...(service && { service: { phrase: say(language, `pushServices.${service}`) } }),
        ...(numbers.seconds !== undefined && { seconds: secondsIn(language, numbers.seconds) }),
        ...(at && { at: momentIn(language, new Date(at), timeZone) }),
        ...(rings !== undefined && { count: rings }),
      })
    })
    .join(' ')
