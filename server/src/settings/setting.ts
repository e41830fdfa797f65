import { isIP } from 'node:net'
import { z } from 'zod'
import { isDatabaseUrl } from '../platform/database/database-address.ts'
import { CannotStart } from '../platform/process/cannot-start.ts'

/**
 * An environment variable. `default` is the text the variable would hold ('' means unset) and passes the same check.
 */
export type Setting<Value> = {
  default: string
  meaning: string
  allowed: string
  form: z.ZodType<Value, string>
  /** Never shown, not even on the operator's terminal. */
  secret?: true
}

/** An invalid value: the message names the variable, the value and what is allowed. */
export class WrongSetting extends CannotStart {
  override name = 'WrongSetting'
}

/** The setting's value in env, an empty one counting as unset; throws WrongSetting. */
export function readSetting<Value>(
  name: string,
  setting: Setting<Value>,
  env: Record<string, string | undefined>,
): Value {
  const text = env[name]?.trim() || setting.default
  const reading = setting.form.safeParse(text)
  if (reading.success) return reading.data
  throw new WrongSetting(`${name} is ${JSON.stringify(withoutPassword(text))}, but must be ${setting.allowed}.`)
}

export const text = z.string()

export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most))

export const positiveNumber = (most: number) =>
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,9})?$/)
    .transform(Number)
    .pipe(z.number().positive().max(most))

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.string().pipe(z.enum(words as unknown as Words))

/** An http(s) URL with nothing after the host, as its origin. */
export const origin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null
  const bare = url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(url.href)
  if (bare) return url.origin
  context.addIssue('not an origin')
  return z.NEVER
})

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
export const serviceUrl = z.string().transform((text, context) => {
  const { protocol, origin, pathname, href } = URL.canParse(text) ? new URL(text) : {}
  const [, ...parts] = pathname?.replace(/\/$/, '').split('/') ?? []
  const isPlain = parts.every(part => /^[\w~-]+$/.test(part)) && !ownWords.has(parts[0] ?? '')
  if (/^https?:$/.test(protocol ?? '') && href === `${origin}${pathname}` && isPlain)
    return [origin, ...parts].join('/')
  context.addIssue('not an address of a service')
  return z.NEVER
})

/**
 * An origin as browsers send it: of a web page, of an app's shell (`capacitor://localhost`), `file://`, or `null`. A `*`
 * would never match.
 */
export const pageOrigin = z.string().transform((text, context) => {
  const plain = text.toLowerCase().replace(/\/+$/, '')
  if (plain === 'null') return 'null'
  if (plain === 'file:') return 'file://'
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d{1,5})?$/.test(plain)) return plain
  const read = origin.safeParse(text)
  if (read.success && !text.includes('*')) return read.data
  context.addIssue('not an origin')
  return z.NEVER
})

const urlOf = (protocol: RegExp) =>
  z.string().refine(text => URL.canParse(text) && protocol.test(new URL(text).protocol))

export const httpUrl = urlOf(/^https?:$/)
export const postgresUrl = z.string().refine(isDatabaseUrl)
export const redisUrl = urlOf(/^rediss?:$/)

/** `https://key@host/project` */
export const sentryDsn = z.string().refine(text => {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username !== '' && /\/\d+$/.test(url.pathname)
})

export const smtpUrl = urlOf(/^smtps?:$/)

/** An address, or a name followed by one in angle brackets; it may not contain line breaks. */
export const mailbox = z
  .string()
  .max(300)
  .regex(/^(?:[^<>@\r\n]+ )?<[^<>\s@]+@[^<>\s@]+>$|^[^<>\s@]+@[^<>\s@]+$/)

export const clientId = z.string().regex(/^[\x21-\x7e]{1,255}$/)

/** An OpenID issuer: https, or plain http to this machine alone, where nobody eavesdrops. */
export const issuer = z.string().refine(text => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash } = new URL(text)
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || (protocol === 'http:' && here)) && search === '' && hash === ''
})

/** An IP address, alone or with a prefix length (CIDR). */
export const addressRange = z.string().refine(text => {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  const prefixMax = family === 4 ? 32 : 128
  return family > 0 && rest.length === 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && +prefix <= prefixMax))
})

export const orNull = <Value>(form: z.ZodType<Value, string>) => z.union([z.literal('').transform(() => null), form])

/** A host name with a dot, in lower case. */
export const mailDomain = z
  .string()
  .regex(/^(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.)+[A-Za-z]{2,}$/)
  .toLowerCase()

export const listOf = <Value>(form: z.ZodType<Value, string>) =>
  z
    .string()
    .transform(text =>
      text
        .split(',')
        .map(part => part.trim())
        .filter(part => part !== ''),
    )
    .pipe(z.array(form))

/** A URL, without its password. */
export function withoutPassword(text: string): string {
  return text.replace(/(:\/\/[^/@]*:)[^@]*@/, '$1…@')
}
