import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { codeIn, openMailServer } from '../../../test/mail/mail-server.ts'
import { refusal, says } from '../../../test/refused.ts'

const mails = await openMailServer()
const app = await openTestApp({}, { env: { ...mails.env, PUBLIC_URL: 'https://party.example' } })
const badCode = says('The code is invalid or has expired.')

let thefts = 0
let owner: Member
let thiefs: string
beforeEach(async () => {
  owner = await enter(app, 'gus')
  thefts += 1
  thiefs = `thief${thefts}@evil.example`
  await owner.api.recovery.verifyEmail({ verification_code: codeIn(await mails.mailTo(owner.email)) })
})

const longAgo = () =>
  sql`update devices set created_at = now() - interval '1 hour', proven_at = null where user_id = ${owner.id}`.execute(
    app.db,
  )
const days = (count: number) =>
  sql`update moved_emails set moved_at = moved_at - make_interval(days => ${count}) where user_id = ${owner.id}`.execute(
    app.db,
  )
const moveTo = (user_email: string, api = owner.api) =>
  api.accounts.updateAccount({
    user_first_name: 'Gus',
    user_last_name: 'Guest',
    user_username: owner.username,
    user_email,
  })
const signIn = (user_login_id: string) =>
  app.as().accounts.authenticate({
    user_login_option_type: 1,
    user_login_id,
    user_password: owner.password,
    device_id: 'another',
    user_timezone: 'UTC',
    user_device_platform: 'web',
  })
/** The code with which the old address undoes the change; its second mail. */
const undoCode = async () => codeIn(await mails.mailTo(owner.email, 2))
const verify = async (address: string) =>
  owner.api.recovery.verifyEmail({ verification_code: codeIn(await mails.mailTo(address)) })
/** Asks for a code and tells how many mails the address has when one that was asked for later has come. */
const mailsAfterForgetting = async (address: string) => {
  await app.as().recovery.forgotPassword({ user_email: address })
  const other = await enter(app, 'sam')
  await mails.mailTo(other.email)
  return mails.arrived.filter(({ to }) => to?.some(each => each.address === address)).length
}

test('a phone that was found changes the address and takes nothing over', async () => {
  await longAgo()
  expect((await moveTo(thiefs)).user_email).toBe(thiefs)
  await verify(thiefs)
  expect(await mailsAfterForgetting(thiefs)).toBe(1)
  await app.as().recovery.undoEmail({ undo_code: await undoCode() })
  expect((await refusal(owner.api.accounts.readAccount())).status).toBe(401)
  const { user } = await signIn(owner.email)
  expect(user).toMatchObject({ id: owner.id, user_email: owner.email, user_status: 1 })
})

test('the address resets a password once fourteen days are over, and the old one undoes nothing any more', async () => {
  await longAgo()
  await moveTo(thiefs)
  await verify(thiefs)
  const code = await undoCode()
  await days(15)
  await sql`update mailed_codes set expires_at = now() where purpose = 'undo'`.execute(app.db)
  await app.as().recovery.forgotPassword({ user_email: thiefs })
  expect(codeIn(await mails.mailTo(thiefs, 2))).toMatch(/./)
  expect(await refusal(app.as().recovery.undoEmail({ undo_code: code }))).toEqual(badCode)
})

test('a session with a recent proof lets the new address reset the password at once, and the old one can undo it all the same', async () => {
  await moveTo(thiefs)
  await verify(thiefs)
  await app.as().recovery.forgotPassword({ user_email: thiefs })
  const password = { user_password: 'a new password', user_password_confirmation: 'a new password' }
  await app.as().recovery.resetPassword({ reset_code: codeIn(await mails.mailTo(thiefs, 2)), ...password })
  await app.as().recovery.undoEmail({ undo_code: await undoCode() })
  expect(
    (
      await app
        .as()
        .recovery.undoEmail({ undo_code: 'AAAA-AAAA-AAAA-AAAA' })
        .catch(error => error)
    ).status,
  ).toBe(400)
})

test('a second change leaves the account to whom it belonged before the first', async () => {
  await longAgo()
  await moveTo(thiefs)
  await verify(thiefs)
  const code = await undoCode()
  await moveTo(`again-${thiefs}`)
  await app.as().recovery.undoEmail({ undo_code: code })
  expect((await signIn(owner.email)).user.user_email).toBe(owner.email)
  expect(await refusal(app.as().recovery.undoEmail({ undo_code: code }))).toEqual(badCode)
})

test('an account that registered the old address without owning it loses it', async () => {
  await longAgo()
  await moveTo(thiefs)
  const code = await undoCode()
  const { user } = await app.as().accounts.register({
    user_first_name: 'T',
    user_last_name: 'Hief',
    user_username: `thief${thefts}`,
    user_email: owner.email,
    user_password: 'password',
    user_password_confirmation: 'password',
    user_login_option_type: 1,
    device_id: 'thief',
    user_timezone: 'UTC',
    user_device_platform: 'web',
  })
  await app.as().recovery.undoEmail({ undo_code: code })
  expect((await signIn(owner.email)).user.id).toBe(owner.id)
  expect(user.id).not.toBe(owner.id)
})

test('an address that was never verified is told nothing, and undoes nothing', async () => {
  const typo = await enter(app, 'ana')
  await mails.mailTo(typo.email)
  await sql`update devices set created_at = now() - interval '1 hour' where user_id = ${typo.id}`.execute(app.db)
  await typo.api.accounts.updateAccount({
    user_first_name: 'Ana',
    user_last_name: 'Ana',
    user_username: typo.username,
    user_email: thiefs,
  })
  await typo.api.recovery.verifyEmail({ verification_code: codeIn(await mails.mailTo(thiefs)) })
  expect(mails.arrived.filter(({ to }) => to?.some(each => each.address === typo.email))).toHaveLength(1)
  expect(await mailsAfterForgetting(thiefs)).toBe(1)
})

test('the link in the mail asks first and undoes by its button', async () => {
  await longAgo()
  await moveTo(thiefs)
  const link = /https:\/\/party\.example(\/undo-email\/\S+)/.exec((await mails.mailTo(owner.email, 2)).text ?? '')?.[1]
  const page = (method: string) => fetch(`${app.url}${link}`, { method, headers: { 'accept-language': 'de' } })
  for (const _ of ['a scanner', 'a person']) expect(await (await page('GET')).text()).toContain('Rückgängig machen')
  expect((await owner.api.accounts.readAccount()).user_email).toBe(thiefs)
  expect(await (await page('POST')).text()).toContain('wieder diese Adresse')
  expect((await refusal(owner.api.accounts.readAccount())).status).toBe(401)
  expect((await page('POST')).status).toBe(404)
  expect((await page('GET')).status).toBe(404)
})
