import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { evening } from '../../../test/party.ts'
import { refusal, says } from '../../../test/refused.ts'
import { makeErasureDue } from '../account-deletion.ts'
import { suspend, unsuspend } from '../moderation.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const { id: event_id } = await olivia.api.events.saveEvent(evening())
const { link_code: code } = await olivia.api.links.makeLink({ event_id })
const gone = says('The code is invalid or has expired.')

const secret = () => randomBytes(32).toString('base64url')
const on = (device_id: string) => ({ device_id, user_timezone: 'UTC', user_device_platform: 'web' })
const comeBack = (return_key: string, next_return_key = secret(), device = 'phone') =>
  app.as().returns.returnByKey({ return_key, next_return_key, ...on(device) })

/** A guest who joined by the link, and the key that their phone keeps. */
const anna = async () => {
  const { user, token } = await app.as().links.joinByLink({ code, user_first_name: 'Anna', ...on('phone') })
  const key = secret()
  await app.as(token).returns.makeReturnKey({ event_id, return_key: key })
  return { id: user.id, token, api: app.as(token), key }
}
const endSession = ({ id }: { id: number }) => sql`delete from devices where user_id = ${id}`.execute(app.db)

describe('a return key', () => {
  test('brings a guest back whose session has ended, as the same person, and is replaced', async () => {
    const guest = await anna()
    await endSession(guest)
    const next = secret()
    const { user, token } = await comeBack(guest.key, next)
    expect(user.id).toBe(guest.id)
    expect(await app.as(token).events.readEvent({ event_id })).toMatchObject({ event_role: 'guest' })
    expect(await refusal(comeBack(guest.key))).toEqual(gone)
    expect((await comeBack(next)).user.id).toBe(guest.id)
  })

  test('is sent again with the next one if the reply was lost, also by two tabs at once', async () => {
    const guest = await anna()
    await endSession(guest)
    const next = secret()
    const replies = await Promise.all([comeBack(guest.key, next), comeBack(guest.key, next)])
    replies.push(await comeBack(guest.key, next))
    expect(replies.map(({ user }) => user.id)).toEqual([guest.id, guest.id, guest.id])
  })

  test('of two thieves at once lets one in', async () => {
    const guest = await anna()
    const answers = await Promise.allSettled([comeBack(guest.key), comeBack(guest.key), comeBack(guest.key)])
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  test('ends when its device signs out or is signed out, but not when another device does', async () => {
    for (const all_devices of [false, true]) {
      const guest = await anna()
      await guest.api.accounts.logout({ all_devices })
      expect(await refusal(comeBack(guest.key))).toEqual(gone)
    }
    const guest = await anna()
    const { transfer_url } = await guest.api.transfers.makeTransfer()
    const transfer_code = transfer_url.split('#code=')[1] ?? ''
    const tablet = app.as((await app.as().transfers.takeTransfer({ transfer_code, ...on('tablet') })).token)
    const key = secret()
    await tablet.returns.makeReturnKey({ event_id, return_key: key })
    await tablet.accounts.removeDevice({ device_id: 'phone' })
    expect(await refusal(comeBack(guest.key))).toEqual(gone)
    expect((await comeBack(key, secret(), 'tablet')).user.id).toBe(guest.id)
  })

  test('ends when an organizer removes the guest from the event that it was made for, and not from another', async () => {
    const guest = await anna()
    const other = await olivia.api.events.saveEvent(evening())
    const link = await olivia.api.links.makeLink({ event_id: other.id })
    await guest.api.links.joinByLink({ code: link.link_code })
    await olivia.api.events.removeGuest({ event_id: other.id, user_id: guest.id })
    const next = secret()
    const back = app.as((await comeBack(guest.key, next)).token)
    await olivia.api.events.removeGuest({ event_id, user_id: guest.id })
    expect(await refusal(comeBack(next))).toEqual(gone)
    const again = back.returns.makeReturnKey({ event_id, return_key: secret() })
    expect(await refusal(again)).toEqual(says('The user is neither a guest nor an organizer of the event'))
  })

  test('is not made while its guest is being removed', async () => {
    for (let time = 0; time < 5; time += 1) {
      const guest = await anna()
      const key = secret()
      await Promise.allSettled([
        olivia.api.events.removeGuest({ event_id, user_id: guest.id }),
        guest.api.returns.makeReturnKey({ event_id, return_key: key }),
      ])
      expect(await refusal(comeBack(key))).toEqual(gone)
    }
  })

  test('ends when the account gets a password, is suspended or is to be erased', async () => {
    const claimed = await anna()
    const password = { user_password: 'a long password', user_password_confirmation: 'a long password' }
    await claimed.api.accounts.claimAccount({ user_email: 'anna@example.com', ...password })
    expect(await refusal(claimed.api.returns.makeReturnKey({ event_id, return_key: secret() }))).toEqual(
      says('The account is not a guest account'),
    )
    const suspended = await anna()
    await suspend(app.db, suspended.id)
    await unsuspend(app.db, suspended.id)
    const erased = await anna()
    await makeErasureDue(app.db, erased.id, { erasesContent: false })
    for (const { key } of [claimed, suspended, erased]) expect(await refusal(comeBack(key))).toEqual(gone)
  })

  test('leaves nothing in the database but its hash, and is nobody’s device ID', async () => {
    const guest = await anna()
    const { rows } = await sql`select k::text from return_keys k`.execute(app.db)
    expect(JSON.stringify(rows)).not.toContain(guest.key)
    expect(await refusal(comeBack(secret(), secret(), 'phone'))).toEqual(gone)
  })
})
