import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { codeIn, openMailServer } from '../../../test/mail/mail-server.ts'
import { openIssuer } from '../../../test/openid/issuer.ts'
import { refusal } from '../../../test/refused.ts'

const mails = await openMailServer()
const issuer = await openIssuer()
const app = await openTestApp({}, { env: { ...mails.env, ...issuer.env } })

const device = { device_id: 'elsewhere', user_timezone: 'UTC', user_device_platform: 'web' }
const proofOf = async (subject: string) => ({
  user_login_option_type: 10,
  user_login_option_unique_identifier: subject,
  user_password: await issuer.idToken(subject),
})
const signInBy = async (subject: string) => {
  const { user_login_option_unique_identifier: user_login_id, ...proof } = await proofOf(subject)
  return app.as().accounts.authenticate({ ...proof, user_login_id, ...device })
}
const signIn = (member: Member, user_password: string) =>
  app.as().accounts.authenticate({ user_login_option_type: 1, user_login_id: member.email, user_password, ...device })

/** Deletes the account and sets a new password by mail within the grace period. */
const leaveAndReset = async (member: Member, mailsBefore: number) => {
  await member.api.privacy.deleteAccount({ user_password: member.password })
  await app.as().recovery.forgotPassword({ user_email: member.email })
  const reset_code = codeIn(await mails.mailTo(member.email, mailsBefore + 1))
  const user_password = 'a brand new one'
  await app.as().recovery.resetPassword({ reset_code, user_password, user_password_confirmation: user_password })
  const { status } = await app.db
    .selectFrom('users')
    .select('status')
    .where('id', '=', member.id)
    .executeTakeFirstOrThrow()
  expect(status).toBe(4)
}

test('a reset password gives back an account that is leaving as it was, with its providers', async () => {
  const olivia = await enter(app, 'olivia')
  await olivia.api.recovery.verifyEmail({ verification_code: codeIn(await mails.mailTo(olivia.email)) })
  await olivia.api.providers.linkLoginOption(await proofOf('olivia'))
  await mails.mailTo(olivia.email, 2)
  await leaveAndReset(olivia, 2)
  const { user } = await signInBy('olivia')
  expect(user).toMatchObject({ id: olivia.id, user_status: 1 })
  expect(user.user_login_options.map(option => option.user_login_option_type)).toEqual([1, 10])
  expect((await signIn(olivia, 'a brand new one')).user.id).toBe(olivia.id)
})

test('a provider attached before the address was proven goes nevertheless, and now it is proven', async () => {
  const gus = await enter(app, 'gus')
  await gus.api.providers.linkLoginOption(await proofOf('a stranger'))
  await mails.mailTo(gus.email)
  await leaveAndReset(gus, 1)
  expect((await refusal(signInBy('a stranger'))).status).toBe(401)
  const { user } = await signIn(gus, 'a brand new one')
  expect(user).toMatchObject({ id: gus.id, user_status: 1 })
  expect(user.user_login_options).toHaveLength(1)
})
