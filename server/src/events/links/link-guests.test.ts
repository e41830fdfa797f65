import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { evening } from '../../../test/party.ts'
import { png } from '../../../test/pictures.ts'
import { invalid, refusal, says } from '../../../test/refused.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const picture = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 20 }

const hold = async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_visibility: 3 }))
  const { link_code: code } = await olivia.api.links.makeLink({ event_id })
  return { event_id, group_chat_id, code }
}
const come = (code: string, fields: Record<string, unknown> = {}, idempotencyKey?: string) =>
  app.as().links.joinByLink({ code, user_first_name: 'Anna', ...fields }, { ...(idempotencyKey && { idempotencyKey }) })

describe('a guest account', () => {
  test('needs a name and nothing else', async () => {
    const { code } = await hold()
    expect(await refusal(app.as().links.joinByLink({ code }))).toEqual(
      invalid('user_first_name', 'The user first name field is required.'),
    )
    const { user } = await come(code, { user_first_name: 'Zoë' })
    expect(user).toMatchObject({ user_first_name: 'Zoë', user_last_name: '', user_status: 5, user_login_options: [] })
    expect(user.user_username).toMatch(/^zoe\.[a-z0-9]{6}$/)
    expect(user.user_email).toBe(`${user.user_username}@guest.invalid`)
    expect((await come(code, { user_first_name: '愛' })).user.user_username).toMatch(/^guest\./)
  })

  test('gets in whatever its device calls its time zone', async () => {
    const { code } = await hold()
    const zoneOf = async (user_timezone: unknown) => (await come(code, { user_timezone })).user.user_timezone
    expect(await zoneOf('GMT+0200')).toBe('Etc/GMT-2')
    for (const zone of ['Mars/Phobos', 'Etc/Unknown', '', 7, ['UTC'], 'x'.repeat(500)])
      expect(await zoneOf(zone)).toBe('UTC')
  })

  test('does all that a guest may', async () => {
    const { event_id, group_chat_id, code } = await hold()
    const { user, token } = await come(code, { user_last_name: 'Lind' })
    const api = app.as(token)
    const sent = await api.chats.saveMessage({ group_chat_id, message_content: 'Hello', attachments: [picture] })
    const photo = await api.chats.addToAlbum({ message_attachment_id: sent.attachments[0]?.id ?? 0 })
    const event_photo_id = Number((await api.gallery.uploadPhoto({ event_id, image: picture })).id)
    await api.gallery.likePhoto({ event_photo_id: Number(photo.id) })
    await api.gallery.saveComment({ event_photo_id, event_photo_comment: 'Mine' })
    await api.accounts.ping()
    const { data } = await olivia.api.people.searchUsers({ name: 'Anna Lind', ...paged })
    expect(data.map(({ id }) => id)).toContain(user.id)
    const mentioned = await olivia.api.chats.saveMessage({ group_chat_id, message_content: `@${user.user_username}` })
    expect(mentioned.user.id).toBe(olivia.id)
  })

  test('sends back what it got and changes its name, but gets no address that way', async () => {
    const { code } = await hold()
    const { user, token } = await come(code)
    const { user_username, user_email } = user
    const asked = { user_first_name: 'Anne', user_last_name: user.user_last_name, user_username, user_email }
    expect(await app.as(token).accounts.updateAccount(asked)).toMatchObject({ user_first_name: 'Anne', user_status: 5 })
    const another = { ...asked, user_email: 'anne@example.com' }
    expect(await refusal(app.as(token).accounts.updateAccount(another))).toEqual(
      invalid('user_email', 'The selected user email is invalid.'),
    )
  })

  test('cannot be signed in to by anything but its token', async () => {
    const { user } = await come((await hold()).code)
    const device = { device_id: 'x', user_timezone: 'UTC', user_device_platform: 'web' }
    for (const user_login_id of [user.user_username, user.user_email])
      expect(
        (
          await refusal(
            app.as().accounts.authenticate({ user_login_option_type: 1, user_login_id, user_password: '', ...device }),
          )
        ).status,
      ).not.toBe(200)
  })
})

describe('a repeated join', () => {
  test('with a key that nobody guesses is the same account with a token that works', async () => {
    const { event_id, code } = await hold()
    const key = randomUUID()
    const [one, two] = await Promise.all([come(code, { device_id: 'p' }, key), come(code, { device_id: 'p' }, key)])
    expect(two.user.id).toBe(one.user.id)
    const again = await come(code, { device_id: 'p' }, key)
    expect((await app.as(again.token).accounts.readAccount()).id).toBe(one.user.id)
    expect((await olivia.api.events.readEvent({ event_id })).event_guests_count).toBe(2)
  })

  test('with a key that may be guessed is refused', async () => {
    expect(await refusal(come((await hold()).code, {}, 'join 1'))).toEqual(
      says('The Idempotency-Key must have 32 to 255 printable characters.'),
    )
  })

  test('by the same device without a key is another person: the id of a device is no secret', async () => {
    const { code } = await hold()
    const [one, two] = [await come(code, { device_id: 'phone' }), await come(code, { device_id: 'phone' })]
    expect(two.user.id).not.toBe(one.user.id)
  })

  test('does not sign in to an account that has a password by now', async () => {
    const { code } = await hold()
    const key = randomUUID()
    const { token } = await come(code, { device_id: 'p' }, key)
    const password = { user_password: 'a long password', user_password_confirmation: 'a long password' }
    await app.as(token).accounts.claimAccount({ user_email: 'claimed@example.com', ...password })
    expect((await refusal(come(code, { device_id: 'p' }, key))).status).toBe(401)
  })
})

describe('claiming', () => {
  const password = { user_password: 'a long password', user_password_confirmation: 'a long password' }

  test('makes it a full account that keeps its content and its session', async () => {
    const { group_chat_id, code } = await hold()
    const { user, token } = await come(code)
    const api = app.as(token)
    const { id } = await api.chats.saveMessage({ group_chat_id, message_content: 'Still mine' })
    const claimed = await api.accounts.claimAccount({ user_email: 'anna@example.com', ...password })
    expect(claimed).toMatchObject({ id: user.id, user_email: 'anna@example.com', user_status: 2 })
    expect(claimed.user_login_options).toMatchObject([{ user_login_option_type: 1 }])
    const device = { device_id: 'laptop', user_timezone: 'UTC', user_device_platform: 'web' }
    const signIn = { user_login_option_type: 1, user_login_id: 'anna@example.com', ...password, ...device }
    const { token: other } = await app.as().accounts.authenticate(signIn)
    const { data } = await app.as(other).chats.listMessages({ group_chat_id, ...paged })
    expect(data.map(message => message.id)).toContain(id)
    expect((await api.accounts.readAccount()).id).toBe(user.id)
  })

  test('takes nobody’s address, is done once, and is not for full accounts', async () => {
    const { token } = await come((await hold()).code)
    const api = app.as(token)
    expect(await refusal(api.accounts.claimAccount({ user_email: olivia.email, ...password }))).toEqual(
      invalid('user_email', 'The user email has already been taken.'),
    )
    const claim = (user_email: string) => api.accounts.claimAccount({ user_email, ...password })
    const claims = await Promise.allSettled(['one@example.com', 'two@example.com'].map(claim))
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await refusal(claim('three@example.com'))).toEqual(says('The account is not a guest account'))
  })
})
