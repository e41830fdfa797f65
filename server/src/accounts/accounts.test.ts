import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { jpeg } from '../../test/pictures.ts'
import { refusal } from '../../test/refused.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')

const newcomer = (name: string, changes: Record<string, unknown> = {}) => ({
  user_first_name: 'New',
  user_last_name: 'Comer',
  user_username: name,
  user_email: `${name}@example.com`,
  user_password: 'long enough',
  user_password_confirmation: 'long enough',
  user_login_option_type: 1,
  device_id: 'tablet',
  user_timezone: 'America/Buenos_Aires',
  user_device_platform: 'iOS',
  ...changes,
})
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
describe('registering', () => {
  test('opens an account in the documented shape and signs the device in', async () => {
    const { user, token, token_expiration } = await app.as().accounts.register(newcomer('first.one'))
    expect(user).toMatchObject({
      user_first_name: 'New',
      user_middle_name: null,
      user_email: 'first.one@example.com',
      user_visible: true,
      user_status: 2,
      user_timezone: 'America/Buenos_Aires',
      subscription_plan: {
        subscription_plan_title: 'Free',
        subscription_plan_pricing: 0,
        subscription_plan_expiration: '9999-12-31T23:59:59.000Z',
      },
      user_login_options: [
        {
          user_id: user.id,
          user_login_option_type: 1,
          user_login_option_unique_identifier: 'first.one@example.com',
          user_login_option_name: 'Afterglow',
        },
      ],
      user_settings: { user_setting_mute_notification: false },
    })
    const days = (Date.parse(token_expiration) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(30, 1)
    expect(await app.as(token).accounts.readAccount()).toEqual(user)
  })

  test('names every field that is missing or wrong, at once', async () => {
    const reply = await post('api/account/register', { user_login_option_type: '1', user_email: 'no address' })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({
      user_first_name: ['The user first name field is required.'],
      user_email: ['The user email field must be a valid email address.'],
      device_id: ['The device id field is required.'],
    })
  })

  test('refuses a username or e-mail that is taken, whatever the case', async () => {
    const taken = newcomer(olivia.username.toUpperCase(), { user_email: olivia.email.toUpperCase() })
    expect(await refusal(app.as().accounts.register(taken))).toEqual({
      status: 400,
      body: {
        user_username: ['The user username has already been taken.'],
        user_email: ['The user email has already been taken.'],
      },
    })
  })

  test('lets one of many rivals for a username win', async () => {
    const rivals = Array.from({ length: 6 }, (_, at) => newcomer('rival', { user_email: `rival${at}@example.com` }))
    const results = await Promise.allSettled(rivals.map(rival => app.as().accounts.register(rival)))
    expect(results.filter(result => result.status === 'fulfilled')).toHaveLength(1)
  })

  test('reports a confirmation that differs under the password', async () => {
    const asked = newcomer('mismatch', { user_password_confirmation: 'something else' })
    expect((await refusal(app.as().accounts.register(asked))).body).toEqual({
      user_password: ['The user password field confirmation does not match.'],
    })
  })

  test('answers the type of a provider that is not configured as invalid', async () => {
    const asked = newcomer('by.google', { user_login_option_type: 2 })
    expect((await refusal(app.as().accounts.register(asked))).body).toEqual({
      user_login_option_type: ['The selected user login option type is invalid.'],
    })
  })

  test.each(['a.b.c', 'e-.y_.e', 'short'])('takes no password of less than 8 characters, like %s', async short => {
    const asked = newcomer('short', { user_password: short, user_password_confirmation: short })
    expect((await refusal(app.as().accounts.register(asked))).body).toEqual({
      user_password: ['The user password field must be at least 8 characters.'],
    })
  })

  test('names every wrong field in one answer, the password among them', async () => {
    const asked = newcomer('many', { user_email: 'nobody', user_password: 'a.b.c', device_id: '' })
    expect((await refusal(app.as().accounts.register(asked))).body).toEqual({
      user_email: [expect.anything()],
      user_password: [expect.anything()],
      device_id: [expect.anything()],
    })
  })

  test('with an Idempotency-Key opens one account, and keeps no token', async () => {
    const asked = newcomer('keyed')
    const [first, second] = await Promise.all([
      app.as().accounts.register(asked, { idempotencyKey: 'k1' }),
      app.as().accounts.register(asked, { idempotencyKey: 'k1' }),
    ])
    expect(second.user.id).toBe(first.user.id)
    const kept = await app.db.selectFrom('idempotency_keys').select('reply').execute()
    expect(kept).toEqual([{ reply: first.user.id }])
    const elsewhere = await app
      .as()
      .accounts.register(newcomer('unrelated', { device_id: 'other' }), { idempotencyKey: 'k1' })
    expect(elsewhere.user.id).not.toBe(first.user.id)
    const other = { ...asked, user_password: 'another one', user_password_confirmation: 'another one' }
    expect((await refusal(app.as().accounts.register(other, { idempotencyKey: 'k1' }))).status).toBe(401)
  })
})

describe('signing in', () => {
  const attempt = (user_login_id: string, user_password: string, device_id = 'laptop') =>
    app.as().accounts.authenticate({
      user_login_option_type: 1,
      user_login_id,
      user_password,
      device_id,
      user_timezone: 'UTC',
      user_device_platform: 'web',
    })

  test('works by e-mail and by username', async () => {
    expect((await attempt(olivia.email.toUpperCase(), olivia.password)).user.id).toBe(olivia.id)
    expect((await attempt(olivia.username, olivia.password)).user.id).toBe(olivia.id)
  })

  test('answers unknown, wrong and suspended alike', async () => {
    const remy = await enter(app, 'remy')
    await app.db.updateTable('users').set({ status: 3 }).where('id', '=', remy.id).execute()
    const wrong = { status: 401, body: { error_message: 'Incorrect Details. Please try again.' } }
    expect(await refusal(attempt('nobody@example.com', 'whatever it is'))).toEqual(wrong)
    expect(await refusal(attempt(olivia.email, 'wrong password'))).toEqual(wrong)
    expect(await refusal(attempt(remy.email, remy.password))).toEqual(wrong)
  })

  test('again on a device replaces its session', async () => {
    const first = await attempt(olivia.email, olivia.password, 'one tv')
    const second = await attempt(olivia.email, olivia.password, 'one tv')
    expect((await refusal(app.as(first.token).accounts.readAccount())).status).toBe(401)
    expect((await app.as(second.token).accounts.readAccount()).id).toBe(olivia.id)
  })

  test('an identifier that looks like a stranger’s e-mail opens nothing of theirs', async () => {
    await app.as().accounts.register(newcomer('trojan', { user_login_option_unique_identifier: 'victim@example.com' }))
    const victim = await app.as().accounts.register(newcomer('victim'))
    expect((await attempt('victim@example.com', 'long enough')).user.id).toBe(victim.user.id)
  })
})

describe('sessions', () => {
  test('a missing, malformed or unknown token looks the same', async () => {
    for (const authorization of [undefined, 'Bearer', 'Bearer x', `Bearer ${'a'.repeat(43)}`, 'Basic abc']) {
      const reply = await fetch(`${app.url}/api/account`, { headers: authorization ? { authorization } : {} })
      expect([reply.status, reply.headers.get('www-authenticate'), await reply.json()]).toEqual([
        401,
        'Bearer',
        { message: 'Unauthenticated.' },
      ])
    }
  })

  test('a refreshed token serves, and the old one for a minute more', async () => {
    const gus = await enter(app, 'gus')
    const { token } = await gus.api.accounts.refreshToken()
    expect(token).not.toBe(gus.token)
    expect((await app.as(token).accounts.readAccount()).id).toBe(gus.id)
    expect((await gus.api.accounts.readAccount()).id).toBe(gus.id)
  })

  test('logging out ends the session at once', async () => {
    const gus = await enter(app, 'gus')
    await gus.api.accounts.logout()
    expect((await refusal(gus.api.accounts.readAccount())).status).toBe(401)
  })

  test('devices are listed and removed; a foreign one is not found', async () => {
    const asha = await enter(app, 'asha')
    const { data } = await asha.api.accounts.listDevices({ page: 1, page_length: 10 })
    expect(data).toMatchObject([{ device_id: `phone of ${asha.username}`, current: true, active: false }])
    await asha.api.accounts.ping()
    expect((await asha.api.accounts.listDevices({ page: 1, page_length: 10 })).data).toMatchObject([{ active: true }])
    expect(await refusal(asha.api.accounts.removeDevice({ device_id: 'laptop' }))).toEqual({
      status: 404,
      body: 'Device not found!',
    })
    await asha.api.accounts.removeDevice({ device_id: `phone of ${asha.username}` })
    expect((await refusal(asha.api.accounts.readAccount())).status).toBe(401)
  })

  test('a new password ends the other sessions and the old one opens none', async () => {
    const gwen = await enter(app, 'gwen')
    const elsewhere = await app.as().accounts.authenticate({
      user_login_option_type: 1,
      user_login_id: gwen.email,
      user_password: gwen.password,
      device_id: 'other',
      user_timezone: 'UTC',
      user_device_platform: 'web',
    })
    const next = { user_password: 'a new password', user_password_confirmation: 'a new password' }
    expect(await refusal(gwen.api.accounts.updatePassword({ current_password: 'no', ...next }))).toEqual({
      status: 400,
      body: { error_message: 'The current password is incorrect.' },
    })
    await gwen.api.accounts.updatePassword({ current_password: gwen.password, ...next })
    expect((await refusal(app.as(elsewhere.token).accounts.readAccount())).status).toBe(401)
    expect((await gwen.api.accounts.readAccount()).id).toBe(gwen.id)
  })
})

describe('the profile', () => {
  const names = { user_first_name: 'Olivia', user_last_name: 'O’Hara' }

  test('changes, keeps what is not named, and refuses what is taken', async () => {
    const { username, email } = olivia
    const sam = await enter(app, 'sam')
    const updated = await olivia.api.accounts.updateAccount({
      ...names,
      user_middle_name: 'M.',
      user_email: email,
      user_username: username,
      user_visible: '0',
    })
    expect(updated).toMatchObject({ user_last_name: 'O’Hara', user_middle_name: 'M.', user_visible: false })
    const again = { ...names, user_email: sam.email, user_username: username }
    expect((await refusal(olivia.api.accounts.updateAccount(again))).body).toEqual({
      user_email: ['The user email has already been taken.'],
    })
    expect(await olivia.api.accounts.updateAccount({ ...again, user_email: email })).toMatchObject({
      user_middle_name: null,
      user_visible: false,
    })
  })

  test('a staged picture becomes the avatar only when the update says so', async () => {
    const sam = await enter(app, 'sam')
    const { user_avatar_url: generated } = await sam.api.accounts.readAccount()
    expect((await fetch(generated)).headers.get('content-type')).toContain('image/svg+xml')
    const profile_picture = new Blob([await jpeg({ width: 800, height: 600, seed: 1 })])
    const staged = await sam.api.accounts.stageAvatar({ profile_picture })
    const profile = {
      user_first_name: 'Sam',
      user_last_name: 'Stranger',
      user_email: sam.email,
      user_username: sam.username,
    }
    expect((await sam.api.accounts.updateAccount(profile)).user_avatar_url).toBe(generated)
    const adopted = await sam.api.accounts.updateAccount({ ...profile, profile_picture_updated: true })
    expect(adopted.user_avatar_url).toBe(staged.user_avatar_url)
    expect((await fetch(adopted.user_avatar_url)).headers.get('content-type')).toBe('image/jpeg')
    expect((await sam.api.accounts.removeAvatar()).user_avatar_url).toBe(generated)
    expect((await fetch(adopted.user_avatar_url)).status).toBe(404)
  })

  test('a picture that is none is refused in the field’s words', async () => {
    const profile_picture = new Blob(['<html>'], { type: 'image/jpeg' })
    expect(await refusal(olivia.api.accounts.stageAvatar({ profile_picture }))).toEqual({
      status: 400,
      body: { profile_picture: ['The profile picture field must be an image.'] },
    })
  })
})

test('both methods of disconnect end the presence, again and again', async () => {
  const gus = await enter(app, 'gus')
  expect((await gus.api.accounts.ping()).active).toBe(true)
  for (const method of ['PUT', 'DELETE', 'DELETE']) {
    const headers = { authorization: `Bearer ${gus.token}` }
    const reply = await fetch(`${app.url}/api/realtime/disconnect`, { method, headers })
    expect([reply.status, await reply.json()]).toEqual([200, { active: false }])
  }
})
