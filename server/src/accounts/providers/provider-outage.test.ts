import { beforeEach, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { newVerifier, openBrowser, visit } from '../../../test/openid/browser.ts'
import { newKey, openIssuer } from '../../../test/openid/issuer.ts'
import { refusal, says } from '../../../test/refused.ts'

const issuer = await openIssuer()
const timing = { timeoutMs: 400, keptMs: 4_000, cooldownMs: 200, failureKeptMs: 1_000 }
const away = says('The sign-in provider cannot be reached. Please try again later.')
const wrong = { status: 401, body: { error_message: 'Incorrect Details. Please try again.' } }
const device = { device_id: 'a phone', user_timezone: 'UTC', user_device_platform: 'ios' }
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

beforeEach(() => issuer.is('well'))

/** The service as it is just after its start: it knows nothing of the provider. */
const fresh = async () => {
  const app = await openTestApp({}, { env: issuer.env, timing })
  issuer.returnsTo(app.url)
  const signIn = (idToken: string, subject = 'somebody') =>
    app.as().accounts.authenticate({
      user_login_option_type: 10,
      user_login_id: subject,
      user_password: idToken,
      ...device,
    })
  return { app, signIn }
}

describe('while the provider is away', () => {
  test.each(['away', 'hanging'] as const)('(%s) who signs in is told so, and quickly', async mood => {
    const { app, signIn } = await fresh()
    const token = await issuer.idToken('somebody')
    issuer.is(mood)
    const started = performance.now()
    expect(await refusal(signIn(token))).toEqual(away)
    const one = performance.now() - started
    expect(one).toBeLessThan(3_000)
    // The failure is remembered for a while: the next callers neither ask nor wait.
    const asked = issuer.asked.length
    const many = await Promise.all(Array.from({ length: 10 }, () => refusal(signIn(token))))
    expect(many).toEqual(many.map(() => away))
    expect(issuer.asked.length - asked).toBeLessThanOrEqual(1)
    const begin = app.as().providers.beginProviderSignIn({
      user_login_option_type: 10,
      return_to: `${app.url}/x`,
      provider_challenge: newVerifier().challenge,
    })
    expect(await refusal(begin)).toEqual(away)
    issuer.is('well')
    await pause(timing.failureKeptMs)
    expect(await refusal(signIn(token))).toEqual(wrong)
  })

  test('keys that are known still serve, for as long as they are believed', { tags: 'slow' }, async () => {
    const { signIn } = await fresh()
    const token = await issuer.idToken('somebody')
    expect(await refusal(signIn(token))).toEqual(wrong)
    issuer.is('away')
    expect(await refusal(signIn(token))).toEqual(wrong)
    await pause(timing.keptMs)
    expect(await refusal(signIn(token))).toEqual(away)
  })

  test('a browser that comes back goes on with an error', async () => {
    const { app } = await fresh()
    issuer.signedInAs('somebody')
    const return_to = `${app.url}/signed-in`
    const { authorization_url } = await app.as().providers.beginProviderSignIn({
      user_login_option_type: 10,
      return_to,
      provider_challenge: newVerifier().challenge,
    })
    const back = await openBrowser()(authorization_url, `${app.url}/api/account/provider/callback`)
    issuer.is('away')
    const reply = await fetch(back, { redirect: 'manual' })
    expect(reply.headers.get('location')).toBe(`${return_to}#provider_error=away`)
  })
})

describe('when the provider changes its key', () => {
  test('tokens by the new one serve at once, and those by the old one no more', async () => {
    const { app, signIn } = await fresh()
    issuer.signedInAs('turning')
    const before = issuer.key()
    expect(await refusal(signIn(await issuer.idToken('turning'), 'turning'))).toEqual(wrong)
    await pause(timing.cooldownMs)
    await issuer.rotate(`key of ${Date.now()}`)
    expect((await visit(app)).provider_code).toHaveLength(43)
    const { user } = await app.as().accounts.register({
      user_first_name: 'Tur',
      user_last_name: 'Ning',
      user_username: 'turning',
      user_email: 'turning@example.com',
      user_login_option_type: 10,
      user_login_option_unique_identifier: 'turning',
      user_password: await issuer.idToken('turning'),
      ...device,
    })
    expect((await signIn(await issuer.idToken('turning'), 'turning')).user.id).toBe(user.id)
    expect(await refusal(signIn(await issuer.idToken('turning', {}, { key: before }), 'turning'))).toEqual(wrong)
  })

  test('a flood of tokens by unknown keys asks for keys seldom', async () => {
    const { signIn } = await fresh()
    await refusal(signIn(await issuer.idToken('somebody')))
    const asked = () => issuer.asked.filter(path => path.startsWith('/jwks')).length
    const before = asked()
    const forged = await Promise.all(
      Array.from({ length: 20 }, async (_, at) =>
        issuer.idToken('somebody', {}, { key: await newKey(`unknown ${at}`, 'ES256') }),
      ),
    )
    for (const token of forged) expect((await refusal(signIn(token))).status).not.toBe(500)
    expect(asked() - before).toBeLessThanOrEqual(5)
  })
})
