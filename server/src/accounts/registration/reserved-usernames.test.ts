import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { evening } from '../../../test/party.ts'
import { invalid, refusal } from '../../../test/refused.ts'

const app = await openTestApp()
const taken = invalid('user_username', 'The user username has already been taken.')
let people = 0
const register = (fields: { user_username: string; user_first_name?: string }) => {
  people += 1
  return app.as().accounts.register({
    user_first_name: 'Rita',
    user_last_name: 'Reyes',
    user_email: `somebody${people}@example.com`,
    user_password: 'a long password',
    user_password_confirmation: 'a long password',
    user_login_option_type: 1,
    device_id: 'phone',
    user_timezone: 'UTC',
    user_device_platform: 'web',
    ...fields,
  })
}

describe('a name that speaks for the service', () => {
  test.each(['admin', 'ADMIN', 'a.d.m.i.n', 'admin_1', 'Afterglow', 'afterglow-team', 'support', '...', '_.-'])(
    '%s is nobody’s username',
    async user_username => expect(await refusal(register({ user_username }))).toEqual(taken),
  )

  test('is taken by no change of a profile, and by no guest', async () => {
    const olivia = await enter(app, 'olivia')
    const profile = { user_first_name: 'Olivia', user_last_name: 'Ortega', user_email: olivia.email }
    expect(await refusal(olivia.api.accounts.updateAccount({ ...profile, user_username: 'Admin' }))).toEqual(taken)
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    const { link_code: code } = await olivia.api.links.makeLink({ event_id })
    const guest = await app.as().links.joinByLink({
      code,
      user_first_name: 'Admin',
      device_id: 'x',
      user_timezone: 'UTC',
      user_device_platform: 'web',
    })
    expect(guest?.user.user_username).toMatch(/^guest\./)
  })

  test('stays with its former holder', async () => {
    const gus = await enter(app, 'gus')
    await app.db.updateTable('users').set({ username: 'team' }).where('id', '=', gus.id).execute()
    const profile = { user_last_name: 'Grant', user_email: gus.email, user_username: 'team' }
    expect(await gus.api.accounts.updateAccount({ ...profile, user_first_name: 'Gustav' })).toMatchObject({
      user_first_name: 'Gustav',
    })
  })
})

test('a person, an event and a guest of a link are called by what can be seen', async () => {
  const { user, token } = await register({ user_username: 'rita.reyes', user_first_name: 'R\u202eit\u200ba\n' })
  expect(user.user_first_name).toBe('Rita')
  const api = app.as(token)
  const { id: event_id, event_name } = await api.events.saveEvent(evening({ event_name: 'Mid\u2066summer\r\nparty' }))
  expect(event_name).toBe('Midsummer party')
  const { link_code: code } = await api.links.makeLink({ event_id })
  const device = { device_id: 'x', user_timezone: 'UTC', user_device_platform: 'web' }
  const guest = await app.as().links.joinByLink({ code, user_first_name: 'Ol\u200divia', ...device })
  expect(guest?.user.user_first_name).toBe('Olivia')
})
