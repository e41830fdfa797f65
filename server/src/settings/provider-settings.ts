import { resolve } from 'node:path'
import { clientId, issuer, listOf, orNull, type Setting, text, WrongSetting } from './setting.ts'

/** The first client ID of each is the web client's; the others are apps'. */
export type ProviderSettings = {
  google: { clientIds: string[]; clientSecret: string | null } | null
  /** Without its key, Apple's ID tokens are accepted but browsers cannot sign in. */
  apple: { clientIds: string[]; key: { path: string; keyId: string; teamId: string } | null } | null
  facebook: { clientIds: string[]; clientSecret: string | null } | null
  /** By ascending type, from 10 up. */
  others: { type: number; name: string; issuer: string; clientIds: string[]; clientSecret: string | null }[]
}

export type Read = <Value>(name: string, setting: Setting<Value>) => Value

export const providerSettings = {
  GOOGLE_CLIENT_IDS: {
    default: '',
    meaning: "client ids of sign-in with Google, the web client's first, then those of apps; unset: no such sign-in",
    allowed: 'client ids with commas between',
    form: listOf(clientId),
  },
  GOOGLE_CLIENT_SECRET: {
    default: '',
    meaning: "secret of Google's web client; unset: only apps sign in with Google",
    allowed: 'a secret',
    form: orNull(text),
    secret: true,
  },
  APPLE_CLIENT_IDS: {
    default: '',
    meaning: 'client ids of sign-in with Apple: the Services ID of the web client first, then bundle ids',
    allowed: 'client ids with commas between',
    form: listOf(clientId),
  },
  APPLE_KEY: {
    default: '',
    meaning: "file of Apple's key (.p8) for sign-in on the web; unset: only apps sign in with Apple",
    allowed: 'a path',
    form: orNull(text.transform(path => resolve(path))),
  },
  APPLE_KEY_ID: {
    default: '',
    meaning: 'id of that key',
    allowed: '10 letters and digits',
    form: orNull(text.regex(/^[A-Z0-9]{10}$/)),
  },
  APPLE_TEAM_ID: {
    default: '',
    meaning: "id of the app's team",
    allowed: '10 letters and digits',
    form: orNull(text.regex(/^[A-Z0-9]{10}$/)),
  },
  FACEBOOK_CLIENT_IDS: {
    default: '',
    meaning: 'app ids of sign-in with Facebook',
    allowed: 'client ids with commas between',
    form: listOf(clientId),
  },
  FACEBOOK_CLIENT_SECRET: {
    default: '',
    meaning: 'secret of that app; unset: only apps sign in with Facebook',
    allowed: 'a secret',
    form: orNull(text),
    secret: true,
  },
  OPENID_10_ISSUER: {
    default: '',
    meaning: 'issuer of an OpenID provider of your own; further ones as OPENID_11_… up to OPENID_99_…',
    allowed: 'an https URL like https://login.party.example',
    form: orNull(issuer),
  },
  OPENID_10_NAME: {
    default: '',
    meaning: 'what people read on its button',
    allowed: 'a name of at most 50 characters',
    form: text.max(50),
  },
  OPENID_10_CLIENT_IDS: {
    default: '',
    meaning: "its client ids, the web client's first",
    allowed: 'client ids with commas between',
    form: listOf(clientId),
  },
  OPENID_10_CLIENT_SECRET: {
    default: '',
    meaning: 'its client secret; unset: a public client, held by PKCE alone',
    allowed: 'a secret',
    form: orNull(text),
    secret: true,
  },
} satisfies Record<string, Setting<unknown>>

export const readProviders = (read: Read, env: Record<string, string | undefined>): ProviderSettings => ({
  google: readGoogle(read),
  apple: readApple(read),
  facebook: readFacebook(read),
  others: readOthers(read, env),
})

function readGoogle(read: Read): ProviderSettings['google'] {
  const clientIds = read('GOOGLE_CLIENT_IDS', providerSettings.GOOGLE_CLIENT_IDS)
  const clientSecret = read('GOOGLE_CLIENT_SECRET', providerSettings.GOOGLE_CLIENT_SECRET)
  return clientIds.length > 0 ? { clientIds, clientSecret } : null
}

function readApple(read: Read): ProviderSettings['apple'] {
  const clientIds = read('APPLE_CLIENT_IDS', providerSettings.APPLE_CLIENT_IDS)
  const path = read('APPLE_KEY', providerSettings.APPLE_KEY)
  const keyId = read('APPLE_KEY_ID', providerSettings.APPLE_KEY_ID)
  const teamId = read('APPLE_TEAM_ID', providerSettings.APPLE_TEAM_ID)
  const key = path && keyId && teamId ? { path, keyId, teamId } : null
  if (!key && (path || keyId || teamId))
    throw new WrongSetting('APPLE_KEY, APPLE_KEY_ID and APPLE_TEAM_ID belong together: set all or none.')
  return clientIds.length > 0 ? { clientIds, key } : null
}

function readFacebook(read: Read): ProviderSettings['facebook'] {
  const clientIds = read('FACEBOOK_CLIENT_IDS', providerSettings.FACEBOOK_CLIENT_IDS)
  const clientSecret = read('FACEBOOK_CLIENT_SECRET', providerSettings.FACEBOOK_CLIENT_SECRET)
  return clientIds.length > 0 ? { clientIds, clientSecret } : null
}

function readOthers(read: Read, env: Record<string, string | undefined>): ProviderSettings['others'] {
  const numbers = Object.keys(env).flatMap(name => /^OPENID_([1-9]\d)_ISSUER$/.exec(name)?.[1] ?? [])
  return numbers.sort().flatMap(number => {
    const of = (part: string) => `OPENID_${number}_${part}`
    const from = read(of('ISSUER'), providerSettings.OPENID_10_ISSUER)
    if (from === null) return []
    const name = read(of('NAME'), providerSettings.OPENID_10_NAME) || new URL(from).hostname
    const clientIds = read(of('CLIENT_IDS'), providerSettings.OPENID_10_CLIENT_IDS)
    if (clientIds.length === 0) throw new WrongSetting(`${of('ISSUER')} needs ${of('CLIENT_IDS')} beside it.`)
    const clientSecret = read(of('CLIENT_SECRET'), providerSettings.OPENID_10_CLIENT_SECRET)
    return [{ type: Number(number), name, issuer: from, clientIds, clientSecret }]
  })
}
