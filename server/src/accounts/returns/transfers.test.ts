import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { evening } from '../../../test/party.ts'
import { refusal, says } from '../../../test/refused.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const { id: event_id } = await olivia.api.events.saveEvent(evening())
const { link_code: code } = await olivia.api.links.makeLink({ event_id })

const anna = async () => {
  const { user, token } = await app.as().links.joinByLink({ code, user_first_name: 'Anna' })
  return { id: user.id, api: app.as(token) }
}
const codeOf = ({ transfer_url }: { transfer_url: string }) => transfer_url.split('#code=')[1] ?? ''
const on = (device_id: string) => ({ device_id, user_timezone: 'UTC', user_device_platform: 'web' })
const take = (transfer_code: string, device = 'tablet') =>
  app.as().transfers.takeTransfer({ transfer_code, ...on(device) })
const badCode = says('The code is invalid or has expired.')

describe('a transfer', () => {
  test('signs another device in to a guest’s account, once, and the first stays', async () => {
    const guest = await anna()
    const made = await guest.api.transfers.makeTransfer()
    expect(made.transfer_url).toMatch(new RegExp(`^${app.url}/transfer#code=[\\w-]{43}$`))
    expect(Buffer.from(made.transfer_qr.split(',')[1] ?? '', 'base64').toString()).toContain('<svg')
    const shown = await app.as().transfers.openTransfer({ transfer_code: codeOf(made) })
    expect(shown.user).toMatchObject({ id: guest.id, user_first_name: 'Anna' })
    const taken = await take(codeOf(made))
    expect(taken.user.id).toBe(guest.id)
    expect(await app.as(taken.token).events.readEvent({ event_id })).toMatchObject({ event_role: 'guest' })
    expect(await guest.api.accounts.readAccount()).toMatchObject({ id: guest.id })
    expect(await refusal(take(codeOf(made), 'another'))).toEqual(badCode)
    expect(await refusal(app.as().transfers.openTransfer({ transfer_code: codeOf(made) }))).toEqual(badCode)
    // Its reply got lost.
    expect((await take(codeOf(made))).user.id).toBe(guest.id)
  })

  test('a transfer taken by two devices at once lets one in', async () => {
    const made = await (await anna()).api.transfers.makeTransfer()
    const answers = await Promise.allSettled(['one', 'two', 'three'].map(device => take(codeOf(made), device)))
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  test('ends after ten minutes, with a newer one, with its session, and while its account is suspended', async () => {
    const guest = await anna()
    const first = await guest.api.transfers.makeTransfer()
    const second = await guest.api.transfers.makeTransfer()
    expect(await refusal(take(codeOf(first)))).toEqual(badCode)
    const set = (fields: string) => sql.raw(fields).execute(app.db)
    await set(`update users set status = 3 where id = ${guest.id}`)
    expect(await refusal(take(codeOf(second)))).toEqual(badCode)
    await set(`update users set status = 5 where id = ${guest.id}`)
    await set(`update account_transfers set expires_at = now() where user_id = ${guest.id}`)
    expect(await refusal(take(codeOf(second)))).toEqual(badCode)
    const third = await guest.api.transfers.makeTransfer()
    await guest.api.accounts.logout({})
    expect(await refusal(take(codeOf(third)))).toEqual(badCode)
  })

  test('a transfer of an account with a password asks who holds the phone', async () => {
    const gus = await enter(app, 'gus')
    await sql`update devices set created_at = now() - interval '11 minutes' where user_id = ${gus.id}`.execute(app.db)
    expect(await refusal(gus.api.transfers.makeTransfer())).toMatchObject({ status: 400 })
    await gus.api.accounts.proveAccount({ user_password: gus.password })
    const { user } = await take(codeOf(await gus.api.transfers.makeTransfer()))
    expect(user.id).toBe(gus.id)
  })

  test('leaves its code nowhere in the database', async () => {
    const transfer = codeOf(await (await anna()).api.transfers.makeTransfer())
    const { rows } = await sql`select t::text from account_transfers t`.execute(app.db)
    expect(JSON.stringify(rows)).not.toContain(transfer)
  })
})

describe('a code that a guest keeps', () => {
  test('signs them in on any device, as often as they like and however it is typed, and is shown again', async () => {
    const guest = await anna()
    const { code_text, code_url, code_qr } = await guest.api.returns.keepOwnCode({})
    expect(code_text).toMatch(/^(?:[A-HJKMNP-TV-Z2-9]{5}-){3}[A-HJKMNP-TV-Z2-9]{5}$/)
    expect(code_url).toBe(`${app.url}/transfer#code=${code_text}`)
    expect(Buffer.from(code_qr.split(',')[1] ?? '', 'base64').toString()).toContain('<svg')
    expect((await guest.api.returns.keepOwnCode({})).code_text).toBe(code_text)
    await guest.api.accounts.logout({})
    const typed = code_text.toLowerCase().replaceAll('-', ' ')
    expect((await app.as().transfers.openTransfer({ transfer_code: typed })).user.id).toBe(guest.id)
    for (const device of ['one', 'two']) expect((await take(typed, device)).user.id).toBe(guest.id)
    const { rows } = await sql`select t::text from account_transfers t`.execute(app.db)
    expect(JSON.stringify(rows)).not.toContain(code_text)
  })

  test('ends with a newer one, with a password, and when they sign out everywhere', async () => {
    const guest = await anna()
    const first = await guest.api.returns.keepOwnCode({})
    const { code_text } = await guest.api.returns.keepOwnCode({ renew: true })
    expect(await refusal(take(first.code_text))).toEqual(badCode)
    expect((await take(code_text)).user.id).toBe(guest.id)
    const password = { user_password: 'a long password', user_password_confirmation: 'a long password' }
    await guest.api.accounts.claimAccount({ user_email: 'kept@example.com', ...password })
    expect(await refusal(take(code_text))).toEqual(badCode)
    expect(await refusal(guest.api.returns.keepOwnCode({}))).toEqual(says('The account is not a guest account'))
    const other = await anna()
    const kept = await other.api.returns.keepOwnCode({})
    await other.api.accounts.logout({ all_devices: true })
    expect(await refusal(take(kept.code_text))).toEqual(badCode)
  })
})
