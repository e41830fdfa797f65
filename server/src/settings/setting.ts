import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { isDatabaseUrl } from '../platform/database/database-address.ts'
import { CannotStart } from '../platform/process/cannot-start.ts'

export type Environment = Record<string, string | undefined>

/**
 * An environment variable. `default` is the text the variable would hold ('' means unset) and passes the same check.
 * What is allowed is the description of its form.
 */
export type Setting<Value> = {
  meaning: string
  form: z.ZodType<Value, string>
  default: string
  /** Never shown, not even on the operator's terminal. */
  secret?: true
}

export const setting = <Value>(meaning: string, form: z.ZodType<Value, string>, usual = ''): Setting<Value> => ({
  meaning,
  form,
  default: usual,
})

export const secret = <Value>(meaning: string, form: z.ZodType<Value, string>): Setting<Value> => ({
  ...setting(meaning, form),
  secret: true,
})

/** An invalid value: the message names the variable, the value and what is allowed. */
export class WrongSetting extends CannotStart {
  override name = 'WrongSetting'
}

/** Reads one of the known settings, or another variable as that one; an empty value counts as unset. */
export const readerOf =
  <Values extends object>(known: { [Name in keyof Values]: Setting<Values[Name]> }, env: Environment) =>
  <Name extends keyof Values & string>(name: Name, variable: string = name): Values[Name] => {
    const { form, default: usual } = known[name]
    const text = env[variable]?.trim() || usual
    const reading = form.safeParse(text)
    if (reading.success) return reading.data
    throw new WrongSetting(`${variable} is ${JSON.stringify(withoutPassword(text))}, but must be ${form.description}.`)
  }

export const text = z.string()

export const path = text.transform(given => resolve(given)).describe('a path')

export const wholeNumber = (least: number, most: number) =>
  text
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .describe(`a whole number from ${least} to ${most}`)

export const positiveNumber = (most: number) =>
  text
    .regex(/^\d{1,9}(\.\d{1,9})?$/)
    .transform(Number)
    .pipe(z.number().positive().max(most))
    .describe(`a number above 0, at most ${most}`)

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  text.pipe(z.enum(words as unknown as Words)).describe(`one of ${words.join(', ')}`)

/** What a function reads of a text; null: it is none. */
export const readBy = <Value>(read: (given: string) => Value | null) =>
  text.transform((given, context) => {
    const value = read(given)
    if (value !== null) return value
    context.addIssue('is none')
    return z.NEVER
  })

/** An http(s) URL with nothing after the host, as its origin. */
export const originOf = (given: string) => {
  const url = URL.parse(given)
  const bare = url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(url.href)
  return bare ? url.origin : null
}
export const origin = readBy(originOf)

/** The service's own path prefixes: below `/events`, `/events/7` would be ambiguous. */
const ownWords = new Set(
  `api assets calendar chats docs events forgot-password friends healthz invitations j media metrics notifications
  people readyz realtime register reports reset-password settings share sign-in transfer undo-email unsubscribe verify-email`.split(
    /\s+/,
  ),
)

/**
 * The public URL of the service: an origin, or a path of one in characters that need no encoding, without a trailing
 * slash.
 */
export const serviceUrl = readBy(given => {
  const { protocol = '', origin, pathname, href } = URL.parse(given) ?? {}
  const [, ...parts] = pathname?.replace(/\/$/, '').split('/') ?? []
  const isPlain = parts.every(part => /^[\w~-]+$/.test(part)) && !ownWords.has(parts[0] ?? '')
  return /^https?:$/.test(protocol) && href === `${origin}${pathname}` && isPlain ? [origin, ...parts].join('/') : null
}).describe(
  'an http or https URL like https://party.example or https://club.example/party; a path is of letters, digits, hyphens and underscores, and begins with no word of the service (api, events, j …)',
)

/**
 * An origin as browsers send it: of a web page, of an app's shell (`capacitor://localhost`), `file://`, or `null`. A `*`
 * would never match.
 */
export const pageOrigin = readBy(given => {
  const plain = given.toLowerCase().replace(/\/+$/, '')
  if (plain === 'null') return 'null'
  if (plain === 'file:') return 'file://'
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(plain)) return plain
  return given.includes('*') ? null : originOf(given)
})

const urlOf = (protocol: RegExp) => text.refine(given => protocol.test(URL.parse(given)?.protocol ?? ''))

export const httpUrl = urlOf(/^https?:$/).describe('an http or https URL like http://127.0.0.1:4318')
export const postgresUrl = text.refine(isDatabaseUrl).describe('a URL like postgres://user:password@host:5432/name')
export const redisUrl = urlOf(/^rediss?:$/).describe('a URL like redis://user:password@host:6379/0')
export const smtpUrl = urlOf(/^smtps?:$/).describe('a URL like smtps://user:password@mail.party.example:465')

export const sentryDsn = text
  .refine(given => {
    const url = URL.parse(given)
    return url !== null && /^https?:$/.test(url.protocol) && url.username !== '' && /\/\d+$/.test(url.pathname)
  })
  .describe('a URL like https://key@errors.party.example/1')

export const appleId = text.regex(/^[A-Z0-9]{10}$/).describe('10 letters and digits')

/** It may not contain line breaks. */
export const mailbox = text
  .max(300)
  .regex(/^(?:[^<>@\r\n]+ )?<[^<>\s@]+@[^<>\s@]+>$|^[^<>\s@]+@[^<>\s@]+$/)
  .describe('an address, or a name with one: Party <party@party.example>')

/** An OpenID issuer: https, or plain http to this machine alone, where nobody eavesdrops. */
export const issuer = text
  .refine(given => {
    const { protocol, hostname = '', search, hash } = URL.parse(given) ?? {}
    const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
    return (protocol === 'https:' || (protocol === 'http:' && here)) && search === '' && hash === ''
  })
  .describe('an https URL like https://login.party.example')

/** An IP address, alone or with a prefix length (CIDR). */
export const addressRange = text.refine(given => {
  const [address = '', prefix, ...rest] = given.split('/')
  const family = isIP(address)
  const prefixMax = family === 4 ? 32 : 128
  return family > 0 && rest.length === 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && +prefix <= prefixMax))
})

export const orNull = <Value>(form: z.ZodType<Value, string>) =>
  z.union([z.literal('').transform(() => null), form]).describe(form.description ?? '')

/** A host name with a dot, in lower case. */
export const mailDomain = text.regex(/^(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.)+[A-Za-z]{2,}$/).toLowerCase()

export const listOf = <Value>(form: z.ZodType<Value, string>, allowed: string) =>
  text
    .transform(list =>
      list
        .split(',')
        .map(part => part.trim())
        .filter(part => part !== ''),
    )
    .pipe(z.array(form))
    .describe(allowed)

/** A URL, without its password. */
export function withoutPassword(text: string): string {
  return text.replace(/(:\/\/[^/@]*:)[^@]*@/, '$1…@')
}
