import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../../../test/new-folder.ts'
import { openIssuer, phone } from '../../../test/openid/issuer.ts'
import type { ProviderSettings } from '../../settings/provider-settings.ts'
import { CannotStart } from '../process/cannot-start.ts'
import { type Definition, definitionsOf } from './definition.ts'
import { openProvider } from './provider.ts'
import { openPublished } from './published.ts'

const folder = newFolder('apple')
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
const path = join(folder, 'key.p8')
await writeFile(path, await exportPKCS8(privateKey))

const issuer = await openIssuer()
const clientIds = [phone]
const all: ProviderSettings = {
  google: { clientIds, clientSecret: 'secret' },
  apple: { clientIds, key: { path, keyId: 'KEYKEYKEY1', teamId: 'TEAMTEAM12' } },
  facebook: { clientIds, clientSecret: null },
  others: [{ type: 10, name: 'The club', issuer: issuer.issuer, clientIds, clientSecret: null }],
}
const [google, apple, facebook, club] = definitionsOf(all) as [Definition, Definition, Definition, Definition]
/** The same definition, with its keys published by a local provider. */
const here = (definition: Definition, issuers = [issuer.issuer]): Definition => ({
  ...definition,
  issuer: issuer.issuer,
  issuers,
})

test('the provider types match the interface, and only providers with a secret accept browsers', () => {
  expect([google, apple, facebook, club].map(each => [each.type, each.name, each.clientAuth !== null])).toEqual([
    [2, 'Google', true],
    [3, 'Apple', true],
    [4, 'Facebook', false],
    [10, 'The club', true],
  ])
})

test('Google’s two spellings of its issuer are one', async () => {
  const provider = openProvider(here(google, google.issuers.concat(issuer.issuer)))
  for (const iss of google.issuers)
    expect(await provider.read(await issuer.idToken('somebody', { iss }))).toMatchObject({ subject: 'somebody' })
  expect(await provider.read(await issuer.idToken('somebody', { iss: 'http://accounts.google.com' }))).toBeUndefined()
})

describe('a verified address proves the mailbox', () => {
  const mail = 'somebody@example.com'
  test.each([
    ['of Google at gmail.com', google, { email: 'some.body@gmail.com', email_verified: true }, true],
    ['of Google where it hosts the mail', google, { email: mail, email_verified: true, hd: 'example.com' }, true],
    ['not of Google elsewhere', google, { email: mail, email_verified: true }, false],
    ['not of Google unverified', google, { email: 'some.body@gmail.com', email_verified: false }, false],
    [
      'not of Google for who only looks like it',
      google,
      { email: 'x@evilgmail.com.example', email_verified: true },
      false,
    ],
    ['of Apple, whose true is text', apple, { email: mail, email_verified: 'true' }, true],
    ['of Apple, when it is true', apple, { email: mail, email_verified: true }, true],
    ['not of Apple, whose false is text', apple, { email: mail, email_verified: 'false' }, false],
    ['not of Apple, for a one', apple, { email: mail, email_verified: 1 }, false],
    ['never of Facebook', facebook, { email: mail, email_verified: true }, false],
    ['of one’s own provider, when it is true', club, { email: mail, email_verified: true }, true],
    ['not of one’s own provider, when it is not told', club, { email: mail }, false],
  ])('%s', async (_, definition, claims, vouched) => {
    const provider = openProvider(here(definition))
    const read = await provider.read(await issuer.idToken('somebody', claims))
    expect(read && provider.vouches(read)).toBe(vouched)
  })
})

test('odd claims are left out rather than stored', async () => {
  const provider = openProvider(here(club))
  const odd = { email: ['a@b.c'], name: { first: 'x' }, given_name: '\u0000', family_name: 'x'.repeat(101), hd: 7 }
  expect(await provider.read(await issuer.idToken('somebody', odd as never))).toEqual({
    subject: 'somebody',
    email: undefined,
    emailVerified: false,
    hostedDomain: false,
    firstName: undefined,
    lastName: undefined,
  })
  expect(await provider.read(await issuer.idToken('somebody', { name: ' Ana  de la  Cruz ' }))).toMatchObject({
    firstName: 'Ana',
    lastName: 'de la Cruz',
  })
})

test('Apple receives a statement signed by the team’s key, valid for minutes', async () => {
  const body = new URLSearchParams()
  await apple.clientAuth?.({ issuer: apple.issuer }, { client_id: 'party.example.web' }, body, new Headers())
  expect(body.get('client_id')).toBe('party.example.web')
  const { payload, protectedHeader } = await jwtVerify(body.get('client_secret') ?? '', publicKey, {
    issuer: 'TEAMTEAM12',
    subject: 'party.example.web',
    audience: 'https://appleid.apple.com',
  })
  expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEYKEYKEY1' })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300)
})

test('startup fails on a malformed key, without quoting it', async () => {
  const none = join(folder, 'none.p8')
  await writeFile(none, 'planted')
  for (const path of [none, join(folder, 'nowhere')]) {
    const open = () => definitionsOf({ ...all, apple: { clientIds, key: { path, keyId: 'K', teamId: 'T' } } })
    expect(open).toThrow(CannotStart)
    expect(open).not.toThrow(/planted/)
  }
})

test('Facebook, which publishes no token endpoint, is asked at its documented one', async () => {
  const { configuration } = await openPublished({ ...here(facebook), endpoints: facebook.endpoints ?? {} })()
  const { token_endpoint, authorization_endpoint } = configuration.serverMetadata()
  expect(token_endpoint).toBe('https://graph.facebook.com/oauth/access_token')
  expect(authorization_endpoint).toContain(issuer.issuer)
})
