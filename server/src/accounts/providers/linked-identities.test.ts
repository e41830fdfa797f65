import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { signInByBrowser, visit } from '../../../test/openid/browser.ts'
import { openIssuer } from '../../../test/openid/issuer.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'

const issuer = await openIssuer()
const second = await openIssuer()
const { OPENID_10_ISSUER, OPENID_10_CLIENT_IDS } = second.env
const env = { ...issuer.env, OPENID_11_ISSUER: OPENID_10_ISSUER, OPENID_11_CLIENT_IDS: OPENID_10_CLIENT_IDS }
const app = await openTestApp({}, { env })
issuer.returnsTo(app.url)

const device = { device_id: 'a phone', user_timezone: 'UTC', user_device_platform: 'ios' }
const link = async (member: Pick<Member, 'api'>, subject: string) =>
  member.api.providers.linkLoginOption({
    user_login_option_type: 10,
    user_login_option_unique_identifier: subject,
    user_password: await issuer.idToken(subject),
  })
const signIn = async (subject: string) =>
  app.as().accounts.authenticate({
    user_login_option_type: 10,
    user_login_id: subject,
    user_password: await issuer.idToken(subject),
    ...device,
  })
const types = (account: { user_login_options: { user_login_option_type: number }[] }) =>
  account.user_login_options.map(option => option.user_login_option_type)

describe('linking a provider', () => {
  test('lets it sign the same account in, and once more changes nothing', async () => {
    const olivia = await enter(app, 'olivia')
    expect(types(await link(olivia, 'olivia'))).toEqual([1, 10])
    expect(types(await link(olivia, 'olivia'))).toEqual([1, 10])
    expect((await signIn('olivia')).user.id).toBe(olivia.id)
  })

  test('works by what a browser brought back', async () => {
    const gus = await enter(app, 'gus')
    issuer.signedInAs('gus')
    const { provider_code, provider_verifier } = await visit(app)
    const linked = await gus.api.providers.linkLoginOption({
      user_login_option_type: 10,
      provider_code,
      provider_verifier,
    })
    expect(types(linked)).toEqual([1, 10])
    expect((await signIn('gus')).user.id).toBe(gus.id)
  })

  test('refuses what is another account’s, and a second one of the same provider', async () => {
    const [ana, sam] = [await enter(app, 'ana'), await enter(app, 'sam')]
    await link(ana, 'ana')
    expect(await refusal(link(sam, 'ana'))).toEqual(
      invalid('user_login_option_unique_identifier', 'The user login option unique identifier has already been taken.'),
    )
    expect(await refusal(link(ana, 'ana at her work'))).toEqual(
      says('Another account of this provider is linked. Remove it first.'),
    )
    expect((await signIn('ana')).user.id).toBe(ana.id)
  })

  test('a subject that two accounts link at once belongs to one of them', async () => {
    const rivals = await Promise.all([enter(app, 'asha'), enter(app, 'remy'), enter(app, 'rita')])
    const results = await Promise.allSettled(rivals.map(rival => link(rival, 'wanted')))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('keeps the providers apart: the same subject elsewhere is somebody else', async () => {
    const gwen = await enter(app, 'gwen')
    await link(gwen, 'shared subject')
    const asked = {
      user_login_option_type: 11,
      user_login_id: 'shared subject',
      user_password: await second.idToken('shared subject'),
      ...device,
    }
    expect((await refusal(app.as().accounts.authenticate(asked))).status).toBe(401)
    // Nor does a number that the operator reassigns to another provider hand over its accounts.
    await sql`update login_options set issuer = 'https://was.example' where user_id = ${gwen.id} and type = 10`.execute(
      app.db,
    )
    expect((await refusal(signIn('shared subject'))).status).toBe(401)
  })
})

describe('removing a way to sign in', () => {
  const unlink = (member: Pick<Member, 'api'>, user_login_option_type: number) =>
    member.api.providers.unlinkLoginOption({ user_login_option_type })

  test('ends it, and never the last one', async () => {
    const olivia = await enter(app, 'olivia')
    expect(await refusal(unlink(olivia, 1))).toEqual(says('The last way to sign in cannot be removed.'))
    expect(await refusal(unlink(olivia, 10))).toEqual(notFound('Login option not found!'))
    await link(olivia, 'olivia twice')
    expect(types(await unlink(olivia, 10))).toEqual([1])
    expect((await refusal(signIn('olivia twice'))).status).toBe(401)
  })

  test('takes the password with the own account', async () => {
    const sam = await enter(app, 'sam')
    await link(sam, 'sam')
    expect(types(await unlink(sam, 1))).toEqual([10])
    const asked = { user_login_option_type: 1, user_login_id: sam.email, user_password: sam.password, ...device }
    expect((await refusal(app.as().accounts.authenticate(asked))).status).toBe(401)
    expect((await signIn('sam')).user.id).toBe(sam.id)
    expect(await refusal(unlink(sam, 10))).toEqual(says('The last way to sign in cannot be removed.'))
  })

  test('both at once leaves one', async () => {
    const gus = await enter(app, 'gus')
    await link(gus, 'gus at once')
    const results = await Promise.allSettled([unlink(gus, 1), unlink(gus, 10)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(types(await gus.api.accounts.readAccount())).toHaveLength(1)
  })
})

test('an account that a provider opened may be left with it alone', async () => {
  issuer.people.set('alone', { email: 'alone@club.example', name: 'All Alone' })
  issuer.signedInAs('alone')
  const { token } = await signInByBrowser(app)
  expect(await refusal(app.as(token).providers.unlinkLoginOption({ user_login_option_type: 10 }))).toEqual(
    says('The last way to sign in cannot be removed.'),
  )
})
