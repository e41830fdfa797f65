import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { eraseDue } from '../../test/erase-due.ts'
import { bringIn, evening } from '../../test/party.ts'
import { invalid, notFound, refusal, says } from '../../test/refused.ts'

const app = await openTestApp()

const signIn = ({ email, password }: Member) =>
  app.as().accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: email,
    user_password: password,
    device_id: 'new phone',
    user_timezone: 'UTC',
    user_device_platform: 'web',
  })
const leave = (member: Member, fields: { erase_content?: boolean } = {}) =>
  member.api.privacy.deleteAccount({ user_password: member.password, ...fields })
/** Fourteen days pass. */
const erase = async (member: Member) => {
  await sql`update users set erase_at = now() where id = ${member.id} and erase_at is not null`.execute(app.db)
  await eraseDue(app)
}
const row = async (member: Member) =>
  app.db.selectFrom('users').selectAll().where('id', '=', member.id).executeTakeFirstOrThrow()

describe('deleting an account', () => {
  test('ends every session and socket within a second, and says when it is erased', async () => {
    const gus = await enter(app, 'gus')
    const other = await signIn(gus)
    const phone = await listen(app, gus)
    const { erased_after } = await leave(gus)
    expect((new Date(erased_after).getTime() - Date.now()) / 86_400_000).toBeCloseTo(14, 1)
    await vi.waitFor(() => expect(phone.states).toMatchObject({ lost: 1, signedOut: 1 }), {
      timeout: 60_000,
      interval: 5,
    })
    for (const token of [gus.token, other.token])
      await vi.waitFor(
        async () => expect((await refusal(app.as(token).accounts.readAccount())).status).toBe(401),
        20_000,
      )
    expect((await row(gus)).status).toBe(4)
  })

  test('needs the password', async () => {
    const gus = await enter(app, 'gus')
    for (const user_password of ['wrong', undefined])
      expect(await refusal(gus.api.privacy.deleteAccount({ user_password }))).toEqual(
        says('The current password is incorrect.'),
      )
    expect((await row(gus)).erase_at).toBeNull()
  })

  test('without a password needs a fresh sign-in, except for a guest, who has none', async () => {
    const gus = await enter(app, 'gus')
    await sql`update users set password_hash = null where id = ${gus.id}`.execute(app.db)
    await sql`update devices set created_at = now() - interval '1 hour' where user_id = ${gus.id}`.execute(app.db)
    expect(await refusal(gus.api.privacy.deleteAccount({}))).toEqual(
      says('Please confirm that it is you: by your password, or by signing in again.'),
    )
    await sql`update users set status = 5 where id = ${gus.id}`.execute(app.db)
    expect((await gus.api.privacy.deleteAccount({})).erased_after).toMatch(/Z$/)
  })

  test('never puts the password into the URL', async () => {
    const gus = await enter(app, 'gus')
    const asked: [string, string][] = []
    const { afterglow } = await import('@afterglow/sdk')
    const spied = afterglow({
      baseUrl: app.url,
      token: gus.token,
      fetch: async (url, init) => {
        asked.push([String(url), String(init?.body)])
        return fetch(url, init)
      },
    })
    await spied.privacy.deleteAccount({ user_password: gus.password })
    expect(asked).toEqual([[`${app.url}/api/account`, JSON.stringify({ user_password: gus.password })]])
  })

  test('hides its owner from searches and friends at once', async () => {
    const [gus, sam] = [await enter(app, 'gus'), await enter(app, 'sam')]
    await gus.api.people.befriend({ user_id: sam.id })
    await sam.api.people.befriend({ user_id: gus.id })
    const found = async () => ({
      search: (await sam.api.people.searchUsers({ name: gus.username, page: 1, page_length: 10 })).data.length,
      friends: (await sam.api.people.listFriends({ page: 1, page_length: 10 })).data.length,
    })
    expect(await found()).toEqual({ search: 1, friends: 1 })
    await leave(gus)
    expect(await found()).toEqual({ search: 0, friends: 0 })
    expect(await refusal(sam.api.people.readUser({ user_id: gus.id }))).toEqual(notFound('User not found!'))
    await signIn(gus)
    expect(await found()).toEqual({ search: 1, friends: 1 })
  })
})

describe('within the fourteen days', () => {
  test('signing in brings everything back, and nothing is erased', async () => {
    const gus = await enter(app, 'gus')
    await sql`update users set status = 1 where id = ${gus.id}`.execute(app.db)
    await leave(gus)
    await eraseDue(app)
    expect((await signIn(gus)).user).toMatchObject({ user_email: gus.email, user_status: 1 })
    await erase(gus)
    expect(await row(gus)).toMatchObject({ first_name: 'Gus', erase_at: null, erased_at: null })
  })

  test('a suspended account cannot come back, and is erased when its time is over', async () => {
    const gus = await enter(app, 'gus')
    await leave(gus)
    await sql`update users set status = 3 where id = ${gus.id}`.execute(app.db)
    expect((await refusal(signIn(gus))).status).toBe(401)
    await erase(gus)
    expect(await row(gus)).toMatchObject({ first_name: 'Deleted', status: 4, erased_at: expect.any(Date) })
  })
})

describe('an erased account', () => {
  test('cannot be signed in to, and its names are free for others', async () => {
    const gus = await enter(app, 'gus')
    await leave(gus)
    await erase(gus)
    expect((await refusal(signIn(gus))).status).toBe(401)
    const { user } = await app.as().accounts.register({
      user_first_name: 'Another',
      user_last_name: 'Gus',
      user_username: gus.username,
      user_email: gus.email,
      user_password: gus.password,
      user_password_confirmation: gus.password,
      user_login_option_type: 1,
      device_id: 'phone',
      user_timezone: 'UTC',
      user_device_platform: 'ios',
    })
    expect(user.id).not.toBe(gus.id)
  })

  test('has a name that nobody can register', async () => {
    const gus = await enter(app, 'gus')
    await leave(gus)
    await erase(gus)
    const { username } = await row(gus)
    const sam = await enter(app, 'sam')
    const { user_first_name, user_last_name, user_email } = await sam.api.accounts.readAccount()
    expect(
      await refusal(
        sam.api.accounts.updateAccount({ user_first_name, user_last_name, user_email, user_username: username }),
      ),
    ).toEqual(invalid('user_username', 'The user username field format is invalid.'))
  })

  const inAChat = async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, gus)
    const message = await gus.api.chats.saveMessage({ group_chat_id, message_content: 'I was here' })
    await olivia.api.chats.saveMessage({
      group_chat_id,
      message_content: 'So you were',
      message_reply_id: Number(message.id),
    })
    const list = () => olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 10 })
    await list()
    return { olivia, gus, event_id, group_chat_id, list }
  }

  test('leaves its conversations readable, under “Deleted user”', async () => {
    const { gus, list } = await inAChat()
    await leave(gus)
    await erase(gus)
    const { data } = await list()
    expect(data.map(({ message_content }) => message_content)).toEqual(['So you were', 'I was here'])
    const [reply, message] = data
    for (const user of [message?.user, reply?.replied_to?.user])
      expect(user).toMatchObject({ id: gus.id, user_first_name: 'Deleted', user_last_name: 'user' })
    expect(message?.user.user_avatar_url).not.toContain('G')
  })

  test('takes what it said along where its owner asked for that', async () => {
    const { gus, list } = await inAChat()
    await leave(gus, { erase_content: true })
    await erase(gus)
    const { data } = await list()
    expect(data.map(({ message_content }) => message_content)).toEqual(['So you were', ''])
    expect(data[0]?.replied_to?.message_content).toBe('')
  })

  test('is a guest nowhere, and counted nowhere', async () => {
    const { olivia, gus, event_id } = await inAChat()
    const heard = await listen(app, olivia)
    await leave(gus)
    expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(2)
    await erase(gus)
    expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(1)
    await heard.next('guest.left')
  })
})

describe('an event whose only organizer is erased', () => {
  test('goes to its longest member', async () => {
    const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, gus)
    await bringIn(olivia, event_id, ana)
    await leave(olivia)
    await erase(olivia)
    expect((await gus.api.events.readEvent({ event_id })).event_role).toBe('organizer')
    expect((await ana.api.events.readEvent({ event_id })).event_role).toBe('guest')
  })

  test('passes over who is suspended or leaving too', async () => {
    const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, gus)
    await bringIn(olivia, event_id, ana)
    await leave(gus)
    await leave(olivia)
    await erase(olivia)
    expect((await ana.api.events.readEvent({ event_id })).event_role).toBe('organizer')
  })

  test('stays with its other organizers', async () => {
    const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, gus)
    await bringIn(olivia, event_id, ana)
    await olivia.api.events.makeOrganizer({ event_id, user_id: ana.id })
    await leave(olivia)
    await erase(olivia)
    expect((await gus.api.events.readEvent({ event_id })).event_role).toBe('guest')
  })

  test('is deleted with its words when nobody else is in it', async () => {
    const olivia = await enter(app, 'olivia')
    const { id } = await olivia.api.events.saveEvent(evening({ event_location: 'My kitchen' }))
    await leave(olivia)
    await erase(olivia)
    const event = await app.db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(event).toMatchObject({ name: 'Deleted event', location: null, deleted_at: expect.any(Date) })
  })
})

test('an erasure that a crash cut off is finished by the next one, and a finished one is not done again', async () => {
  const gus = await enter(app, 'gus')
  await leave(gus)
  await erase(gus)
  await sql`update users set erased_at = null where id = ${gus.id}`.execute(app.db)
  await eraseDue(app)
  const first = await row(gus)
  expect(first.erased_at).not.toBeNull()
  await eraseDue(app)
  expect(await row(gus)).toEqual(first)
})
