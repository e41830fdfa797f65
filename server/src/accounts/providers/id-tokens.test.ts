import { createSecretKey } from 'node:crypto'
import { exportSPKI, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { type Key, newKey, openIssuer, phone, web } from '../../../test/openid/issuer.ts'
import { evening } from '../../../test/party.ts'
import { invalid, refusal, says } from '../../../test/refused.ts'

const issuer = await openIssuer()
const app = await openTestApp({}, { env: issuer.env })
const device = { device_id: 'a phone', user_timezone: 'UTC', user_device_platform: 'ios' }
const subject = 'Subject|0123.abc'
const wrong = { status: 401, body: { error_message: 'Incorrect Details. Please try again.' } }
const invalidToken = invalid('user_password', 'The selected user password is invalid.')

let names = 0
const newcomer = (identifier: string, idToken: string) => {
  names += 1
  return {
    user_first_name: 'New',
    user_last_name: 'Comer',
    user_username: `by.provider${names}`,
    user_email: `by.provider${names}@example.com`,
    user_password: idToken,
    user_login_option_type: 10,
    user_login_option_unique_identifier: identifier,
    ...device,
  }
}
const signIn = (identifier: string, idToken: string) =>
  app.as().accounts.authenticate({
    user_login_option_type: 10,
    user_login_id: identifier,
    user_password: idToken,
    ...device,
  })

let userId: number
/** Somebody who joined by a link and has no way to sign in yet. */
let guest: ReturnType<typeof app.as>
beforeAll(async () => {
  const { api } = await enter(app, 'gus')
  const { id: event_id } = await api.events.saveEvent(evening())
  const { link_code: code } = await api.links.makeLink({ event_id })
  guest = app.as((await app.as().links.joinByLink({ code, user_first_name: 'Anna', device_id: 'a phone' })).token)
  const { user } = await app.as().accounts.register(newcomer(subject, await issuer.idToken(subject)))
  userId = user.id
})

describe('an ID token of the provider', () => {
  test('registers an account and signs it in, by its subject alone', async () => {
    expect((await signIn(subject, await issuer.idToken(subject))).user.id).toBe(userId)
    expect(await refusal(signIn(subject.toLowerCase(), await issuer.idToken(subject.toLowerCase())))).toEqual(wrong)
  })

  test('registers a subject that differs by case as another person', async () => {
    const other = subject.toUpperCase()
    const { user } = await app.as().accounts.register(newcomer(other, await issuer.idToken(other)))
    expect(user.id).not.toBe(userId)
    expect((await signIn(other, await issuer.idToken(other))).user.id).toBe(user.id)
  })

  test('opens no second account', async () => {
    expect(await refusal(app.as().accounts.register(newcomer(subject, await issuer.idToken(subject))))).toEqual(
      invalid('user_login_option_unique_identifier', 'The user login option unique identifier has already been taken.'),
    )
  })

  test('an ID token of the provider of somebody without an account is answered like a forged one', async () => {
    expect(await refusal(signIn('nobody', await issuer.idToken('nobody')))).toEqual(wrong)
  })

  test('may be made for several of our apps when it says which one asked', async () => {
    const token = await issuer.idToken(subject, { aud: [phone, web.id], azp: phone })
    expect((await signIn(subject, token)).user.id).toBe(userId)
  })

  test('may come from a clock that is 20 seconds ahead', async () => {
    const token = await issuer.idToken(subject, { iat: Math.floor(Date.now() / 1000) + 20 })
    expect((await signIn(subject, token)).user.id).toBe(userId)
  })

  test('is no way into a guest account before that is complete', async () => {
    const link = { user_login_option_type: 10, user_login_option_unique_identifier: 'early' }
    const early = { ...link, user_password: await issuer.idToken('early') }
    expect(await refusal(guest.providers.linkLoginOption(early))).toEqual(says('Please complete your account first.'))
  })

  test('asks for what is missing once the provider is known', async () => {
    const { user_login_option_unique_identifier, ...asked } = newcomer('x', await issuer.idToken('x'))
    expect((await refusal(app.as().accounts.register(asked))).body).toHaveProperty(
      'user_login_option_unique_identifier',
    )
    const { user_password, ...tokenless } = newcomer('x', '')
    expect((await refusal(app.as().accounts.register(tokenless))).body).toHaveProperty('user_password')
  })

  test('with an Idempotency-Key registers once, and a repeat has to prove itself', async () => {
    const asked = newcomer('keyed', await issuer.idToken('keyed'))
    const first = await app.as().accounts.register(asked, { idempotencyKey: 'provider key' })
    const again = await app.as().accounts.register(asked, { idempotencyKey: 'provider key' })
    expect(again.user.id).toBe(first.user.id)
    const forged = { ...asked, user_password: 'a.b.c' }
    expect(await refusal(app.as().accounts.register(forged, { idempotencyKey: 'provider key' }))).toEqual(invalidToken)
    await sql`update users set status = 3 where id = ${first.user.id}`.execute(app.db)
    expect((await refusal(app.as().accounts.register(asked, { idempotencyKey: 'provider key' }))).status).toBe(401)
  })

  test('an ID token of the provider of somebody who is suspended signs nobody in', async () => {
    const { user } = await app.as().accounts.register(newcomer('banned', await issuer.idToken('banned')))
    await sql`update users set status = 3 where id = ${user.id}`.execute(app.db)
    expect(await refusal(signIn('banned', await issuer.idToken('banned')))).toEqual(wrong)
  })
})

const stranger: Key = await newKey('first')
const unknownKid: Key = { ...stranger, kid: 'nobody published this' }
const now = () => Math.floor(Date.now() / 1000)
const claims = (changed: JWTPayload = {}) => ({
  iss: issuer.issuer,
  sub: subject,
  aud: phone,
  iat: now(),
  exp: now() + 600,
  ...changed,
})
const hmacWith = (secret: string | Uint8Array) => async () =>
  new SignJWT(claims())
    .setProtectedHeader({ alg: 'HS256', kid: issuer.key().kid })
    .sign(createSecretKey(Buffer.from(secret)))
const publicPem = async () => exportSPKI((await importJWK(issuer.key().public, 'RS256')) as CryptoKey)
const resigned = (header: object, body: object, signature: string) =>
  [JSON.stringify(header), JSON.stringify(body)].map(part => Buffer.from(part).toString('base64url')).join('.') +
  `.${signature}`
const changed = (of: JWTPayload) => () => issuer.idToken(subject, of)
const without = (claim: string) => () => issuer.idToken(subject, { [claim]: undefined })
const by =
  (key: Key, header: Record<string, unknown> = {}) =>
  () =>
    issuer.idToken(subject, {}, { key, header })

/** Tokens that must not prove anything, each with the attack it attempts. */
const forgeries: [string, () => string | Promise<string>][] = [
  ['no signature at all (alg none)', () => new UnsecuredJWT(claims()).encode()],
  ['alg None, in another case', () => resigned({ alg: 'None' }, claims(), '')],
  ['alg none with a kid of ours', () => resigned({ alg: 'none', kid: 'first' }, claims(), '')],
  ['a signature that was cut off', async () => `${(await issuer.idToken(subject)).split('.').slice(0, 2).join('.')}.`],
  ['a signature with a flipped byte', async () => (await issuer.idToken(subject)).replace(/.{10}$/, 'AAAAAAAAAA')],
  [
    'claims changed after signing',
    async () => {
      const [head = '', , signature = ''] = (await issuer.idToken('somebody else')).split('.')
      return `${head}.${Buffer.from(JSON.stringify(claims())).toString('base64url')}.${signature}`
    },
  ],
  ['an HMAC by the public key as PEM', async () => hmacWith(await publicPem())()],
  ['an HMAC by the public key as JSON', async () => hmacWith(JSON.stringify(issuer.key().public))()],
  ['an HMAC by the modulus', () => hmacWith(Buffer.from(issuer.key().public.n ?? '', 'base64url'))()],
  ['an HMAC by the client secret', hmacWith(web.secret)],
  ['an HMAC by nothing but zeros', hmacWith(new Uint8Array(32))],
  ["a stranger's key under the published kid", by(stranger)],
  ["a stranger's key under a kid of its own", by(unknownKid)],
  ["a stranger's key that brings itself along (jwk)", by(unknownKid, { jwk: stranger.public })],
  ["a stranger's key with the published kid and itself along (jwk)", by(stranger, { jwk: stranger.public })],
  ['a link to keys of its own (jku)', by(unknownKid, { jku: 'https://evil.example/jwks' })],
  ['a link to a certificate of its own (x5u)', by(unknownKid, { x5u: 'https://evil.example/cert' })],
  ['a certificate of its own (x5c)', by(unknownKid, { x5c: ['MIIB'] })],
  ['a kid that is a path', by({ ...stranger, kid: '../../../../dev/null' })],
  ['a kid that is SQL', by({ ...stranger, kid: "' union select 'key" })],
  ['a kid of the prototype', by({ ...stranger, kid: '__proto__' })],
  ['an extension we do not know (crit)', by(issuer.key(), { crit: ['urn:unheard-of'], 'urn:unheard-of': 1 })],
  ['another issuer', changed({ iss: 'https://evil.example' })],
  ['our issuer with something behind it', changed({ iss: `${issuer.issuer}/` })],
  ['our issuer in a list', changed({ iss: [issuer.issuer] as unknown as string })],
  ['no issuer', without('iss')],
  ['another audience', changed({ aud: 'another app' })],
  ['ours among foreign audiences', changed({ aud: [phone, 'another app'], azp: phone })],
  ['several audiences without saying who asked', changed({ aud: [phone, web.id] })],
  ['somebody else who asked (azp)', changed({ azp: 'another app' })],
  ['no audience', without('aud')],
  ['an end in the past', changed({ iat: now() - 3600, exp: now() - 60 })],
  ['no end', without('exp')],
  ['an end that is text', changed({ exp: '9999999999' as unknown as number })],
  ['a beginning in the future (nbf)', changed({ nbf: now() + 3600 })],
  ['an issue in the future (iat)', changed({ iat: now() + 3600, exp: now() + 7200 })],
  ['an issue two days ago', changed({ iat: now() - 48 * 3600, exp: now() + 3600 })],
  ['no issue time', without('iat')],
  ['no subject', without('sub')],
  ['a subject that is no text', changed({ sub: 7 as unknown as string })],
  ['another subject than the identifier', () => issuer.idToken('somebody else')],
  [
    'the identifier only as its e-mail',
    () => issuer.idToken('somebody else', { email: subject, email_verified: true }),
  ],
  ['an access token of the provider (at+jwt)', by(issuer.key(), { typ: 'at+jwt' })],
  ['a logout token of the provider', by(issuer.key(), { typ: 'logout+jwt' })],
  [
    'a logout token without its type',
    changed({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
  ],
  ['a text of 20 000 letters', async () => `${await issuer.idToken(subject)}${'A'.repeat(20_000)}`],
  ['five parts, as if encrypted', async () => `${await issuer.idToken(subject)}.x.y`],
  ['no token', () => 'not a token at all'],
  [
    'JSON that nests without end',
    () =>
      resigned({ alg: 'RS256', kid: 'first' }, [], 'x').replace(
        'W10',
        Buffer.from('['.repeat(5_000)).toString('base64url'),
      ),
  ],
]

describe(`none of ${forgeries.length} forged ID tokens is accepted:`, () => {
  test.each(forgeries)('%s', async (_, forge) => {
    const token = await forge()
    const sessions = async () => (await sql`select from devices`.execute(app.db)).rows.length
    const before = await sessions()
    expect(await refusal(signIn(subject, token))).toEqual(wrong)
    const registering = await refusal(app.as().accounts.register(newcomer(subject, token)))
    expect(registering.status).toBe(400)
    expect(registering.body).not.toHaveProperty('user_login_option_unique_identifier')
    const olivia = await enter(app, 'olivia')
    const link = { user_login_option_type: 10, user_login_option_unique_identifier: subject, user_password: token }
    expect(await refusal(olivia.api.providers.linkLoginOption(link))).toEqual(invalidToken)
    const claim = { ...link, user_email: 'claimed@example.com' }
    const claiming = await refusal(guest.accounts.claimAccount(claim))
    expect(claiming).toEqual({ status: 400, body: { user_password: [expect.any(String)] } })
    expect((await guest.accounts.readAccount()).user_status).toBe(5)
    expect(await sessions()).toBe(before + 1)
  })
})
