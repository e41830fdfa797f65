import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { codeIn, openMailServer } from '../../../test/mail/mail-server.ts'
import { quiet } from '../../../test/notified.ts'
import { invalid, refusal, says } from '../../../test/refused.ts'

const mails = await openMailServer()
const app = await openTestApp({}, { env: { ...mails.env, PUBLIC_URL: 'https://party.example' } })
const badCode = says('The code is invalid or has expired.')
beforeEach(() => mails.refuses(undefined))

const to = (address: string) => mails.arrived.filter(({ envelopeTo }) => envelopeTo.includes(address))
const signIn = (of: { email: string; password: string }, device_id = 'elsewhere') =>
  app.as().accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: of.email,
    user_password: of.password,
    device_id,
    user_timezone: 'UTC',
    user_device_platform: 'web',
  })
const reset = (reset_code: string, password = 'a brand new one') =>
  app.as().recovery.resetPassword({ reset_code, user_password: password, user_password_confirmation: password })
const resets = (email: string) => to(email).filter(({ subject }) => subject === 'Reset your password')
const forget = async (email: string) => {
  const before = resets(email).length
  await app.as().recovery.forgotPassword({ user_email: email })
  await expect.poll(() => resets(email).length).toBeGreaterThan(before)
  return codeIn(resets(email).at(-1) ?? {})
}
const verified = async (member: Member) => {
  const code = codeIn(await mails.mailTo(member.email))
  await member.api.recovery.verifyEmail({ verification_code: code })
  return member
}
const profileOf = (member: Member, user_email: string) => ({
  user_first_name: 'Some',
  user_last_name: 'Body',
  user_username: member.username,
  user_email,
})

describe('an e-mail address', () => {
  test('is proven by the code that is mailed on registering, once and in any writing', async () => {
    const olivia = await enter(app, 'olivia')
    const letter = await mails.mailTo(olivia.email)
    const code = codeIn(letter)
    expect(letter.from).toMatchObject({ address: 'party@example.com', name: 'The party' })
    expect(letter.html).toContain(`https://party.example/verify-email#code=${code}`)
    expect((await olivia.api.accounts.readAccount()).user_status).toBe(2)
    const written = code.toLowerCase().replaceAll('-', ' ').replaceAll('1', 'l').replaceAll('0', 'o')
    expect((await olivia.api.recovery.verifyEmail({ verification_code: written })).user_status).toBe(1)
    expect(await refusal(olivia.api.recovery.verifyEmail({ verification_code: code }))).toEqual(badCode)
    expect(await refusal(olivia.api.recovery.resendVerification())).toEqual(
      says('There is no e-mail address to verify.'),
    )
  })

  test('is not proven by a code of somebody else, one that is over, or one for a new password', async () => {
    const [gus, ana] = [await enter(app, 'gus'), await enter(app, 'ana')]
    const code = codeIn(await mails.mailTo(gus.email))
    const verify = (who: Member, verification_code: string) =>
      refusal(who.api.recovery.verifyEmail({ verification_code }))
    expect(await verify(ana, code)).toEqual(badCode)
    expect(await verify(gus, await forget(gus.email))).toEqual(badCode)
    await sql`update mailed_codes set expires_at = now()`.execute(app.db)
    expect(await verify(gus, code)).toEqual(badCode)
    await gus.api.recovery.resendVerification()
    await quiet(app)
    const another = codeIn(to(gus.email).at(-1) ?? {})
    expect((await gus.api.recovery.verifyEmail({ verification_code: another })).user_status).toBe(1)
  })

  test('gets five such mails an hour and no more', async () => {
    const sam = await enter(app, 'sam')
    for (let at = 0; at < 4; at++) await sam.api.recovery.resendVerification()
    expect(await refusal(sam.api.recovery.resendVerification())).toEqual(
      says('Too many mails were sent to this address. Please try again later.'),
    )
    await quiet(app)
    expect(to(sam.email)).toHaveLength(5)
  })

  test('an e-mail address that is changed has to be proven anew; the earlier one is told and its code is worth nothing', async () => {
    const rita = await enter(app, 'rita')
    const early = codeIn(await mails.mailTo(rita.email))
    await rita.api.recovery.verifyEmail({ verification_code: early })
    const next = `new-${rita.email}`
    expect(await rita.api.accounts.updateAccount(profileOf(rita, next))).toMatchObject({
      user_email: next,
      user_status: 2,
    })
    expect((await mails.mailTo(rita.email, 2)).subject).toBe('Your e-mail address was changed')
    const code = codeIn(await mails.mailTo(next))
    await rita.api.accounts.updateAccount(profileOf(rita, rita.email))
    expect(await refusal(rita.api.recovery.verifyEmail({ verification_code: code }))).toEqual(badCode)
  })

  test('changed only in the case of its letters stays proven', async () => {
    const gwen = await verified(await enter(app, 'gwen'))
    const changed = await gwen.api.accounts.updateAccount(profileOf(gwen, gwen.email.toUpperCase()))
    expect(changed.user_status).toBe(1)
  })
})

describe('a forgotten password', () => {
  test('is replaced by the mailed code, once; every session ends, and the owner is told', async () => {
    const olivia = await verified(await enter(app, 'olivia'))
    const code = await forget(olivia.email)
    expect(resets(olivia.email)[0]?.text).toContain(`https://party.example/reset-password#code=${code}`)
    await reset(code)
    expect((await refusal(olivia.api.accounts.readAccount())).status).toBe(401)
    expect((await refusal(signIn(olivia))).status).toBe(401)
    expect((await signIn({ ...olivia, password: 'a brand new one' })).user.user_status).toBe(1)
    expect((await mails.mailTo(olivia.email, 3)).subject).toBe('Your password was changed')
    expect(await refusal(reset(code))).toEqual(badCode)
  })

  test('used by two at once sets one password', async () => {
    const gus = await enter(app, 'gus')
    const code = await forget(gus.email)
    const results = await Promise.allSettled([reset(code, 'the first one'), reset(code, 'the second one')])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a later code ends the earlier; none serves after half an hour or a change of address', async () => {
    const ana = await enter(app, 'ana')
    const first = await forget(ana.email)
    const second = await forget(ana.email)
    expect(await refusal(reset(first))).toEqual(badCode)
    await sql`update mailed_codes set expires_at = expires_at - interval '31 minutes' where purpose = 'reset'`.execute(
      app.db,
    )
    expect(await refusal(reset(second))).toEqual(badCode)
    const third = await forget(ana.email)
    await ana.api.accounts.updateAccount(profileOf(ana, `other-${ana.email}`))
    expect(await refusal(reset(third))).toEqual(badCode)
  })

  test('a new password from inside ends a code on its way', async () => {
    const rita = await enter(app, 'rita')
    const code = await forget(rita.email)
    const next = { user_password: 'changed inside', user_password_confirmation: 'changed inside' }
    await rita.api.accounts.updatePassword({ current_password: rita.password, ...next })
    expect(await refusal(reset(code))).toEqual(badCode)
  })

  test('a confirmation that differs is told under the password, and the code stays good', async () => {
    const remy = await enter(app, 'remy')
    const reset_code = await forget(remy.email)
    const asked = { reset_code, user_password: 'one password', user_password_confirmation: 'another' }
    expect(await refusal(app.as().recovery.resetPassword(asked))).toEqual(
      invalid('user_password', 'The user password field confirmation does not match.'),
    )
    await reset(reset_code)
  })

  test('a forgotten password of nobody, a guest or somebody suspended is answered alike, does the same work and mails nothing', async () => {
    const asha = await enter(app, 'asha')
    await mails.mailTo(asha.email)
    await sql`update users set status = 3 where id = ${asha.id}`.execute(app.db)
    const statements = async (email: string) => {
      const count = async () =>
        Number((await sql<{ n: number }>`select count(*) as n from mails_asked`.execute(app.db)).rows[0]?.n)
      const before = await count()
      expect(await app.as().recovery.forgotPassword({ user_email: email })).toEqual({ done: true })
      return (await count()) - before
    }
    expect(await statements('nobody@example.com')).toBe(1)
    expect(await statements(asha.email)).toBe(1)
    await quiet(app)
    expect(to('nobody@example.com')).toHaveLength(0)
    expect(to(asha.email)).toHaveLength(1)
  })

  test('asked for a hundred times mails five times', async () => {
    const gwen = await enter(app, 'gwen')
    for (let at = 0; at < 100; at++) await app.as().recovery.forgotPassword({ user_email: gwen.email })
    await quiet(app)
    expect(resets(gwen.email)).toHaveLength(5)
  })

  test('is not set by guessing: no code of another form or person serves', async () => {
    for (const guess of ['0000-0000-0000-0000', "' or 1=1 --", 'x'])
      expect(await refusal(reset(guess))).toEqual(badCode)
  })
})

test('a dump of the database holds no code, not even while its mail waits', { tags: 'slow' }, async () => {
  mails.refuses({ code: 451, at: 'data' })
  const olivia = await enter(app, 'olivia')
  await app.as().recovery.forgotPassword({ user_email: olivia.email })
  const dump = async () =>
    (
      await sql<{ text: string }>`
        select (select coalesce(string_agg(c::text, ''), '') from mailed_codes c)
          || (select coalesce(string_agg(j::text, ''), '') from jobs j) as text`.execute(app.db)
    ).rows[0]?.text ?? ''
  const waiting = await dump()
  mails.refuses(undefined)
  const codes = [codeIn(await mails.mailTo(olivia.email)), codeIn(await mails.mailTo(olivia.email, 2))]
  const after = await dump()
  for (const code of codes) {
    expect(code).toHaveLength(19)
    expect(waiting + after).not.toContain(code)
    expect(waiting + after).not.toContain(code.replaceAll('-', ''))
  }
})
