import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { device, newVerifier, openBrowser, signInByBrowser, visit } from '../../../test/openid/browser.ts'
import { openIssuer } from '../../../test/openid/issuer.ts'
import { invalid, refusal, says } from '../../../test/refused.ts'

const issuer = await openIssuer()
const app = await openTestApp({}, { env: { ...issuer.env, GOOGLE_CLIENT_IDS: 'google-app' } })
issuer.returnsTo(app.url)
const tooLate = says('The sign-in has expired or was finished before. Please start again.')
const finish = (of: { provider_code: string; provider_verifier: string }) =>
  app.as().providers.finishProviderSignIn({
    provider_code: of.provider_code,
    provider_verifier: of.provider_verifier,
    ...device,
  })

let people = 0
/** A new user at the provider, who is signed in there from now on. */
const somebody = (of: Record<string, unknown> = {}) => {
  people += 1
  const subject = `Subject-${people}`
  issuer.people.set(subject, {
    email: `person${people}@club.example`,
    email_verified: true,
    given_name: 'Renée',
    family_name: 'Śmith',
    ...of,
  })
  issuer.signedInAs(subject)
  return subject
}
beforeEach(() => issuer.is('well'))

test('the providers are listed with what to write on their buttons', async () => {
  expect(await app.as().providers.listProviders()).toEqual({
    providers: [
      { user_login_option_type: 2, user_login_option_name: 'Google', browser: false },
      { user_login_option_type: 10, user_login_option_name: 'The club', browser: true },
    ],
    registration: 'open',
    registration_mail_domains: [],
  })
})

describe('a browser that signs in', () => {
  test('for the first time gets an account that lacks nothing, and the same one the next time', async () => {
    const subject = somebody()
    const { user, token } = await signInByBrowser(app)
    expect(user).toMatchObject({
      user_first_name: 'Renée',
      user_last_name: 'Śmith',
      user_username: 'renee.smith',
      user_email: issuer.people.get(subject)?.email,
      user_status: 1,
      user_timezone: 'Europe/Madrid',
      user_login_options: [
        {
          user_login_option_type: 10,
          user_login_option_unique_identifier: subject,
          user_login_option_name: 'The club',
        },
      ],
    })
    expect((await app.as(token).accounts.readAccount()).id).toBe(user.id)
    expect((await signInByBrowser(app)).user.id).toBe(user.id)
  })

  test('a browser that brings another’s name gets another username', async () => {
    somebody()
    const { user } = await signInByBrowser(app)
    expect(user.user_username).toMatch(/^renee\.smith\d+$/)
  })

  test('is asked for what the provider did not tell, and the same code still serves', async () => {
    somebody({ email: undefined, family_name: undefined })
    const visited = await visit(app)
    expect(await refusal(finish(visited))).toEqual({
      status: 400,
      body: {
        user_last_name: ['The user last name field is required.'],
        user_email: ['The user email field is required.'],
      },
    })
    const { provider_code, provider_verifier } = visited
    const told = { user_last_name: 'Told', user_email: 'told@club.example', user_username: 'as.i.like' }
    const { user } = await app
      .as()
      .providers.finishProviderSignIn({ provider_code, provider_verifier, ...device, ...told })
    expect(user).toMatchObject(told)
  })

  test.each([
    ['no address', { email: 'nobody' }],
    ['two in one', { email: 'a@club.example, b@club.example' }],
    ['folded letters', { email: 'adm\u0130n@club.example' }],
    ['one too long', { email: `${'a'.repeat(250)}@club.example` }],
    ['a line end', { email: 'a@club.example\r\nBcc: b@club.example' }],
    ['one that the provider doubts', { email_verified: false }],
  ])('whose provider tells %s for an e-mail is asked for theirs', async (_, of) => {
    somebody(of)
    expect(await refusal(finish(await visit(app)))).toEqual(invalid('user_email', 'The user email field is required.'))
  })

  test('is asked for a name where the provider tells the address of a page', async () => {
    somebody({ given_name: 'Win at https://evil.example', family_name: 'www.evil.example' })
    expect((await refusal(finish(await visit(app)))).body).toEqual({
      user_first_name: ['The user first name field is required.'],
      user_last_name: ['The user last name field is required.'],
    })
  })

  test('in a script without Latin letters still gets a username', async () => {
    somebody({ given_name: '花子', family_name: '山田' })
    expect((await signInByBrowser(app)).user).toMatchObject({ user_first_name: '花子', user_username: 'guest' })
  })

  test('gets nothing of UserInfo that tells of another subject, and needs no UserInfo to be known', async () => {
    somebody()
    const { user } = await signInByBrowser(app)
    issuer.tellsOf('another')
    expect((await signInByBrowser(app)).user.id).toBe(user.id)
    somebody()
    expect((await refusal(finish(await visit(app)))).body).toHaveProperty('user_email')
    issuer.tellsOf(undefined)
  })

  test('whose address the provider has not verified gets our mail', async () => {
    somebody({ email_verified: undefined })
    expect((await signInByBrowser(app)).user.user_status).toBe(2)
  })

  test('is never taken for an account of the same e-mail', async () => {
    const olivia = await enter(app, 'olivia')
    somebody({ email: olivia.email })
    expect(await refusal(signInByBrowser(app))).toEqual(invalid('user_email', 'The user email has already been taken.'))
  })

  test('whose account is suspended gets the answer of a wrong password', async () => {
    somebody()
    const { user, token } = await signInByBrowser(app)
    await sql`update users set status = 3 where id = ${user.id}`.execute(app.db)
    expect(await refusal(signInByBrowser(app))).toEqual({
      status: 401,
      body: { error_message: 'Incorrect Details. Please try again.' },
    })
    expect((await app.db.selectFrom('devices').select('id').where('user_id', '=', user.id).execute()).length).toBe(1)
    expect(token).toBeTruthy()
  })

  test('and declines comes back and says so', async () => {
    issuer.signedInAs(undefined)
    expect(await visit(app)).toMatchObject({ error: 'denied', provider_code: '' })
  })

  test('meets no token in any URL', async () => {
    somebody()
    const { authorization_url, back, provider_code, provider_verifier } = await visit(app)
    const { token } = await finish({ provider_code, provider_verifier })
    for (const url of [authorization_url, back.href]) {
      expect(url).not.toContain(token)
      expect(url).not.toContain('eyJ')
      expect(url).not.toContain(provider_verifier)
    }
    const asked = new URL(authorization_url).searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(
      [asked.get('state'), asked.get('nonce'), asked.get('code_challenge')].every(each => each?.length === 43),
    ).toBe(true)
  })
})

describe('what a browser brings back', () => {
  test('serves once', async () => {
    somebody()
    const visited = await visit(app)
    await finish(visited)
    expect(await refusal(finish(visited))).toEqual(tooLate)
  })

  test('serves nobody without the verifier, and stays good for who has it', async () => {
    somebody()
    const visited = await visit(app)
    expect(await refusal(finish({ ...visited, provider_verifier: newVerifier().verifier }))).toEqual(tooLate)
    expect((await finish(visited)).user.user_first_name).toBe('Renée')
  })

  test('ends after ten minutes', async () => {
    somebody()
    const visited = await visit(app)
    await sql`update provider_proofs set expires_at = now()`.execute(app.db)
    expect(await refusal(finish(visited))).toEqual(tooLate)
  })

  test('is not what lies in the database', async () => {
    somebody()
    const { provider_code, provider_verifier } = await visit(app)
    const { rows } = await sql<{ dump: string }>`select string_agg(p::text, '') as dump from provider_proofs p`.execute(
      app.db,
    )
    expect(rows[0]?.dump).not.toContain(provider_code)
    expect(rows[0]?.dump).not.toContain(provider_verifier)
  })
})

describe('coming back', () => {
  const begin = async () => {
    const asked = {
      user_login_option_type: 10,
      return_to: `${app.url}/signed-in`,
      provider_challenge: newVerifier().challenge,
    }
    const { authorization_url } = await app.as().providers.beginProviderSignIn(asked)
    return new URL(authorization_url)
  }
  const comeBack = (parameters: Record<string, string>) =>
    fetch(`${app.url}/api/account/provider/callback?${new URLSearchParams(parameters)}`, { redirect: 'manual' })

  test('twice, with a foreign state, with none or too late leads nowhere', async () => {
    somebody()
    const to = await begin()
    const state = to.searchParams.get('state') ?? ''
    const twice = [await comeBack({ state, code: 'made up' }), await comeBack({ state, code: 'made up' })]
    expect(twice.map(({ status }) => status)).toEqual([303, 400])
    expect(twice[0]?.headers.get('location')).toBe(`${app.url}/signed-in#provider_error=failed`)
    expect((await comeBack({ state: 'x'.repeat(43), code: 'made up' })).status).toBe(400)
    expect((await comeBack({})).status).toBe(400)
    const late = await begin()
    await sql`update provider_flows set expires_at = now()`.execute(app.db)
    expect((await comeBack({ state: late.searchParams.get('state') ?? '', code: 'x' })).status).toBe(400)
  })

  test('with a code of another flow proves nothing', async () => {
    somebody()
    // A thief's own flow with the code given to a victim's browser: the PKCE verifiers differ.
    const mine = await begin()
    const victims = await begin()
    const browse = openBrowser()
    const stolen = await browse(victims.href, `${app.url}/api/account/provider/callback`)
    const reply = await comeBack({
      state: mine.searchParams.get('state') ?? '',
      code: stolen.searchParams.get('code') ?? '',
    })
    expect(reply.headers.get('location')).toBe(`${app.url}/signed-in#provider_error=failed`)
  })

  test('works by a form as well, as Apple sends it', async () => {
    somebody({ given_name: undefined, family_name: undefined })
    const visited = newVerifier()
    const { authorization_url } = await app.as().providers.beginProviderSignIn({
      user_login_option_type: 10,
      return_to: `${app.url}/signed-in`,
      provider_challenge: visited.challenge,
    })
    const callback = `${app.url}/api/account/provider/callback`
    const given = await openBrowser()(authorization_url, callback)
    given.searchParams.set('user', JSON.stringify({ name: { firstName: 'Ap', lastName: 'Ple' } }))
    const reply = await fetch(callback, { method: 'POST', body: given.searchParams, redirect: 'manual' })
    const provider_code =
      new URLSearchParams(new URL(reply.headers.get('location') ?? '').hash.slice(1)).get('provider_code') ?? ''
    const { user } = await finish({ provider_code, provider_verifier: visited.verifier })
    expect(user).toMatchObject({ user_first_name: 'Ap', user_last_name: 'Ple' })
  })
})

describe('beginning', () => {
  const begin = (changed: Record<string, unknown>) =>
    app.as().providers.beginProviderSignIn({
      user_login_option_type: 10,
      return_to: `${app.url}/signed-in`,
      provider_challenge: newVerifier().challenge,
      ...changed,
    })

  test.each(['https://evil.example/', 'javascript:alert(1)', '//evil.example', 'signed-in', 'http://127.0.0.1:1/'])(
    'sends nobody back to %s',
    async return_to => {
      expect(await refusal(begin({ return_to }))).toEqual(invalid('return_to', 'The selected return to is invalid.'))
    },
  )

  test.each([2, 3, 99])('takes no browser to the provider %i', async user_login_option_type => {
    expect(await refusal(begin({ user_login_option_type }))).toEqual(
      invalid('user_login_option_type', 'The selected user login option type is invalid.'),
    )
  })
})
