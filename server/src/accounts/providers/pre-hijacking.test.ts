import { beforeEach, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { codeIn, openMailServer } from '../../../test/mail/mail-server.ts'
import { device, signInByBrowser } from '../../../test/openid/browser.ts'
import { openIssuer } from '../../../test/openid/issuer.ts'
import { refusal } from '../../../test/refused.ts'

/*
 * The five attacks on accounts that do not exist yet (Sudhodanan and Paverd, 2022): an attacker creates an account with
 * a victim's address, waits until the victim arrives, and tries to keep access. The victim arrives through the password
 * reset, because the address is taken.
 */

const issuer = await openIssuer()
const mails = await openMailServer()
const app = await openTestApp({}, { env: { ...issuer.env, ...mails.env } })
issuer.returnsTo(app.url)

let cases = 0
let victim: string
beforeEach(() => {
  cases += 1
  victim = `victim${cases}@example.com`
})
const attackersPassword = 'what the attacker knows'
const victimsPassword = 'what only the victim knows'

const register = (user_email: string, username: string) =>
  app.as().accounts.register({
    user_first_name: 'Some',
    user_last_name: 'Body',
    user_username: `${username}${cases}`,
    user_email,
    user_password: attackersPassword,
    user_password_confirmation: attackersPassword,
    user_login_option_type: 1,
    ...device,
    device_id: 'of the attacker',
  })
const signIn = (user_login_id: string, user_password: string, user_login_option_type = 1) =>
  app.as().accounts.authenticate({ user_login_option_type, user_login_id, user_password, ...device })

/** The victim proves the mailbox and sets a password. */
const victimComes = async () => {
  const resets = () =>
    mails.arrived.filter(({ envelopeTo, subject }) => envelopeTo[0] === victim && subject === 'Reset your password')
  await app.as().recovery.forgotPassword({ user_email: victim })
  await expect.poll(() => resets().length).toBe(1)
  await app.as().recovery.resetPassword({
    reset_code: codeIn(resets()[0] ?? {}),
    user_password: victimsPassword,
    user_password_confirmation: victimsPassword,
  })
  return (await signIn(victim, victimsPassword)).user
}

describe('none of 5 ways to be in an account before its owner lets the attacker stay:', () => {
  test('a password that was set before the owner came opens nothing, nor is the account merged with a provider’s', async () => {
    await register(victim, 'classic')
    issuer.people.set('the victim', { email: victim, email_verified: true, name: 'The Victim' })
    issuer.signedInAs('the victim')
    // Through the provider, the victim gets no access to what the attacker created.
    expect((await refusal(signInByBrowser(app))).body).toHaveProperty('user_email')
    await victimComes()
    expect((await refusal(signIn(victim, attackersPassword))).status).toBe(401)
  })

  test('a session that was opened before the owner came ends', async () => {
    const { token } = await register(victim, 'session')
    const { token: refreshed } = await app.as(token).accounts.refreshToken()
    await victimComes()
    for (const each of [token, refreshed]) expect((await refusal(app.as(each).accounts.readAccount())).status).toBe(401)
  })

  test('a provider that was linked before the owner came opens nothing any more', async () => {
    const { token } = await register(victim, 'trojan')
    const subject = `the attacker ${cases}`
    await app.as(token).providers.linkLoginOption({
      user_login_option_type: 10,
      user_login_option_unique_identifier: subject,
      user_password: await issuer.idToken(subject),
    })
    expect((await signIn(subject, await issuer.idToken(subject), 10)).user.user_email).toBe(victim)
    const { user_login_options } = await victimComes()
    expect(user_login_options.map(option => option.user_login_option_type)).toEqual([1])
    expect((await refusal(signIn(subject, await issuer.idToken(subject), 10))).status).toBe(401)
  })

  test('a change of address that was begun before the owner came cannot be finished', async () => {
    const attackers = `attacker${cases}@example.com`
    const { token, user } = await register(attackers, 'pending')
    const first = codeIn(await mails.mailTo(attackers))
    await app.as(token).accounts.updateAccount({
      user_first_name: 'Some',
      user_last_name: 'Body',
      user_username: user.user_username,
      user_email: victim,
    })
    await victimComes()
    const attempts = [
      app.as(token).recovery.verifyEmail({ verification_code: first }),
      app.as().recovery.resetPassword({
        reset_code: first,
        user_password: attackersPassword,
        user_password_confirmation: attackersPassword,
      }),
      signIn(attackers, attackersPassword),
    ]
    // Each is awaited at once: one rejected while another is in progress would end the run.
    for (const { status } of await Promise.all(attempts.map(refusal))) expect([400, 401]).toContain(status)
    expect((await signIn(victim, victimsPassword)).user.user_email).toBe(victim)
  })

  test('a provider that does not check addresses vouches for none', async () => {
    const subject = `a liar ${cases}`
    issuer.people.set(subject, { email: victim, name: 'A Liar' })
    issuer.signedInAs(subject)
    const { user, token } = await signInByBrowser(app)
    expect(user.user_status).toBe(2)
    await victimComes()
    expect((await refusal(signIn(subject, await issuer.idToken(subject), 10))).status).toBe(401)
    expect((await refusal(app.as(token).accounts.readAccount())).status).toBe(401)
  })
})
