import { isIP } from 'node:net'
import { z } from 'zod'
import { CannotStart } from './platform/cannot-start.ts'

/** One environment variable. `default` is the text the variable would hold ('' means unset) and passes the same check. */
export type Setting<Value> = { default: string; meaning: string; allowed: string; form: z.ZodType<Value, string> }

/** A value that cannot be meant: the message names the variable, the value and what is allowed. */
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

const urlOf = (protocol: RegExp) =>
  z.string().refine(text => URL.canParse(text) && protocol.test(new URL(text).protocol))

export const postgresUrl = urlOf(/^postgres(ql)?:$/)
export const redisUrl = urlOf(/^rediss?:$/)

/** Where on S3: `endpoint` null is Amazon's own; `prefix` ends without a slash, '' is the whole bucket. */
export type S3Address = { bucket: string; prefix: string; endpoint: string | null; region: string; pathStyle: boolean }

const s3Parameters = z.strictObject({
  endpoint: origin.nullable().default(null),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .default('us-east-1'),
  path_style: z.enum(['0', '1']).default('0'),
})

/** `disk`, or `s3://bucket/prefix?endpoint=…&region=…&path_style=1`. */
export const storagePlace = z.string().transform((text, context): 'disk' | S3Address => {
  if (text === 'disk') return 'disk'
  const [, bucket, path = '', query = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]{1,100}){0,5})\/?(?:\?(.*))?$/.exec(text) ?? []
  const parameters = s3Parameters.safeParse(Object.fromEntries(new URLSearchParams(query)))
  if (bucket && parameters.success && !/\/\.{1,2}(\/|$)/.test(path)) {
    const { endpoint, region, path_style } = parameters.data
    return { bucket, prefix: path.slice(1), endpoint, region, pathStyle: path_style === '1' }
  }
  context.addIssue('no place')
  return z.NEVER
})

/** An IP address, alone or with a prefix length (CIDR). */
export const addressRange = z.string().refine(text => {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  const prefixMax = family === 4 ? 32 : 128
  return family > 0 && rest.length === 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && +prefix <= prefixMax))
})

export const orNull = <Value>(form: z.ZodType<Value, string>) => z.union([z.literal('').transform(() => null), form])

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

function withoutPassword(text: string): string {
  return text.replace(/(:\/\/[^/@]*:)[^@]*@/, '$1…@')
}
