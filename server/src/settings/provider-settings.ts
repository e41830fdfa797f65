import {
  appleId,
  type Environment,
  issuer,
  listOf,
  orNull,
  path,
  readerOf,
  secret,
  setting,
  text,
  WrongSetting,
} from './setting.ts'

const clientIds = listOf(text.regex(/^[\x21-\x7e]{1,255}$/), 'client ids with commas between')
const clientSecret = orNull(text.describe('a secret'))

export const providerSettings = {
  GOOGLE_CLIENT_IDS: setting(
    "client ids of sign-in with Google, the web client's first, then those of apps; unset: no such sign-in",
    clientIds,
  ),
  GOOGLE_CLIENT_SECRET: secret("secret of Google's web client; unset: only apps sign in with Google", clientSecret),
  APPLE_CLIENT_IDS: setting(
    'client ids of sign-in with Apple: the Services ID of the web client first, then bundle ids',
    clientIds,
  ),
  APPLE_KEY: setting(
    "file of Apple's key (.p8) for sign-in on the web; unset: only apps sign in with Apple",
    orNull(path),
  ),
  APPLE_KEY_ID: setting('id of that key', orNull(appleId)),
  APPLE_TEAM_ID: setting("id of the app's team", orNull(appleId)),
  FACEBOOK_CLIENT_IDS: setting('app ids of sign-in with Facebook', clientIds),
  FACEBOOK_CLIENT_SECRET: secret('secret of that app; unset: only apps sign in with Facebook', clientSecret),
  OPENID_10_ISSUER: setting(
    'issuer of an OpenID provider of your own; further ones as OPENID_11_… up to OPENID_99_…',
    orNull(issuer),
  ),
  OPENID_10_NAME: setting('what people read on its button', text.max(50).describe('a name of at most 50 characters')),
  OPENID_10_CLIENT_IDS: setting("its client ids, the web client's first", clientIds),
  OPENID_10_CLIENT_SECRET: secret('its client secret; unset: a public client, held by PKCE alone', clientSecret),
}

export type ProviderSettings = ReturnType<typeof readProviders>

/** The first client ID of each is the web client's; the others are apps'. */
export function readProviders(env: Environment) {
  const read = readerOf(providerSettings, env)
  const clients = (name: 'GOOGLE' | 'FACEBOOK') => {
    const own = { clientIds: read(`${name}_CLIENT_IDS`), clientSecret: read(`${name}_CLIENT_SECRET`) }
    return own.clientIds.length > 0 ? own : null
  }
  return {
    google: clients('GOOGLE'),
    apple: readApple(env),
    facebook: clients('FACEBOOK'),
    /** By ascending type, from 10 up. */
    others: readOthers(env),
  }
}

/** Without its key, Apple's ID tokens are accepted but browsers cannot sign in. */
function readApple(env: Environment) {
  const read = readerOf(providerSettings, env)
  const clientIds = read('APPLE_CLIENT_IDS')
  const [path, keyId, teamId] = [read('APPLE_KEY'), read('APPLE_KEY_ID'), read('APPLE_TEAM_ID')]
  const key = path && keyId && teamId ? { path, keyId, teamId } : null
  if (!key && (path || keyId || teamId))
    throw new WrongSetting('APPLE_KEY, APPLE_KEY_ID and APPLE_TEAM_ID belong together: set all or none.')
  return clientIds.length > 0 ? { clientIds, key } : null
}

function readOthers(env: Environment) {
  const read = readerOf(providerSettings, env)
  const numbers = Object.keys(env).flatMap(name => /^OPENID_([1-9]\d)_ISSUER$/.exec(name)?.[1] ?? [])
  return numbers.sort().flatMap(number => {
    const of = (part: string) => `OPENID_${number}_${part}`
    const from = read('OPENID_10_ISSUER', of('ISSUER'))
    if (from === null) return []
    const name = read('OPENID_10_NAME', of('NAME')) || new URL(from).hostname
    const clientIds = read('OPENID_10_CLIENT_IDS', of('CLIENT_IDS'))
    if (clientIds.length === 0) throw new WrongSetting(`${of('ISSUER')} needs ${of('CLIENT_IDS')} beside it.`)
    const clientSecret = read('OPENID_10_CLIENT_SECRET', of('CLIENT_SECRET'))
    return [{ type: Number(number), name, issuer: from, clientIds, clientSecret }]
  })
}
