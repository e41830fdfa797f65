import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { openIssuer } from '../../test/openid/issuer.ts'
import { evening } from '../../test/party.ts'
import { png } from '../../test/pictures.ts'
import { invalid, refusal, says } from '../../test/refused.ts'

const issuer = await openIssuer()
const app = await openTestApp({}, { env: issuer.env })
const olivia = await enter(app, 'olivia')
const image = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 20 }
const device = { device_id: 'laptop', user_timezone: 'UTC', user_device_platform: 'web' }
const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_visibility: 3 }))
const { link_code: code } = await olivia.api.links.makeLink({ event_id })
const wrong = { status: 401, body: { error_message: 'Incorrect Details. Please try again.' } }
const notGuest = says('The account is not a guest account')
const taken = invalid(
  'user_login_option_unique_identifier',
  'The user login option unique identifier has already been taken.',
)

const come = async (idempotencyKey: string = randomUUID()) => {
  const { user, token } = await app
    .as()
    .links.joinByLink({ code, user_first_name: 'Anna', device_id: 'a phone' }, { idempotencyKey })
  return { ...user, token, api: app.as(token) }
}
type Guest = Pick<Awaited<ReturnType<typeof come>>, 'api'>

const proofOf = async (subject: string, claims: Record<string, unknown> = {}) => ({
  user_login_option_type: 10,
  user_login_option_unique_identifier: subject,
  user_password: await issuer.idToken(subject, claims),
})
const claim = async ({ api }: Guest, subject: string, claims: Record<string, unknown> = {}, user_email?: string) =>
  api.accounts.claimAccount({ ...(await proofOf(subject, claims)), user_email })
const signIn = async (subject: string) => {
  const { user_login_option_unique_identifier: user_login_id, ...proof } = await proofOf(subject)
  return app.as().accounts.authenticate({ ...proof, user_login_id, ...device })
}
const proven = (email: string) => ({ email, email_verified: true })

describe('a guest account claimed by a provider’s ID token', () => {
  test('keeps its content and its sessions, and is signed in to by the provider', async () => {
    const guest = await come()
    const { api } = guest
    const listener = await listen(app, guest)
    const message = await api.chats.saveMessage({ group_chat_id, message_content: 'Still mine' })
    const photo = await api.gallery.uploadPhoto({ event_id, image })
    await api.gallery.saveComment({ event_photo_id: Number(photo.id), event_photo_comment: 'Mine too' })
    const devices = (await api.accounts.listDevices(paged)).data.map(({ device_id }) => device_id)

    const claimed = await claim(guest, 'anna', proven('anna@example.com'))
    expect(claimed).toMatchObject({ id: guest.id, user_email: 'anna@example.com', user_status: 1 })
    expect(claimed.user_username).toBe(guest.user_username)
    expect(claimed.user_login_options).toMatchObject([{ user_login_option_type: 10 }])

    expect((await api.accounts.listDevices(paged)).data.map(({ device_id }) => device_id)).toEqual(devices)
    const { id } = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Welcome' })
    await listener.next('message.created', heard => heard.id === id)
    expect(listener.states).toMatchObject({ lost: 0, signedOut: 0 })

    const { user, token } = await signIn('anna')
    expect(user.id).toBe(guest.id)
    const elsewhere = app.as(token)
    await elsewhere.chats.saveMessage({ group_chat_id, message_id: Number(message.id), message_content: 'Edited' })
    const photos = await elsewhere.gallery.listPhotos({ event_id, taken_by: guest.id, ...paged })
    expect(photos.data).toMatchObject([{ id: photo.id, event_photo_comments_count: '1' }])
    expect((await api.accounts.readAccount()).id).toBe(guest.id)
  })

  test('has the address that its owner says, or else the provider’s, and needs one', async () => {
    const address = async (subject: string, user_email?: string) =>
      (await claim(await come(), subject, proven('told@example.com'), user_email)).user_email
    expect(await address('chooses', 'chosen@example.com')).toBe('chosen@example.com')
    expect(await address('is told')).toBe('told@example.com')
    expect(await refusal(claim(await come(), 'mailless'))).toEqual(
      invalid('user_email', 'The user email field is required.'),
    )
  })

  test('is not signed in to by a repeat of its join any more', async () => {
    const key = randomUUID()
    await claim(await come(key), 'repeated', proven('repeated@example.com'))
    expect((await refusal(come(key))).status).toBe(401)
  })
})

describe('a claim is refused, and the account stays a guest’s,', () => {
  const stays = async ({ api, user_email }: Guest & { user_email: string }, refused: Promise<unknown>) => {
    const answer = await refusal(refused)
    expect(await api.accounts.readAccount()).toMatchObject({ user_email, user_status: 5, user_login_options: [] })
    return answer
  }

  test('by a token of somebody else, whatever identifier is sent', async () => {
    const guest = await come()
    const proof = { ...(await proofOf('mallory', proven('m@example.com'))), user_login_option_unique_identifier: 'me' }
    expect(await stays(guest, guest.api.accounts.claimAccount(proof))).toEqual(
      invalid('user_password', 'The selected user password is invalid.'),
    )
    expect(await refusal(signIn('mallory'))).toEqual(wrong)
  })

  test('by a subject that signs another account in already', async () => {
    const linked = await olivia.api.providers.linkLoginOption(await proofOf('olivia'))
    const guest = await come()
    expect(await stays(guest, claim(guest, 'olivia', proven('fresh@example.com')))).toEqual(taken)
    expect((await signIn('olivia')).user.id).toBe(linked.id)
  })

  test('by a provider that vouches for another account’s address: it is merged with nothing', async () => {
    const guest = await come()
    expect(await stays(guest, claim(guest, 'same address', proven(olivia.email)))).toEqual(
      invalid('user_email', 'The user email has already been taken.'),
    )
    expect(await refusal(signIn('same address'))).toEqual(wrong)
  })

  test('by a type that is not configured', async () => {
    const guest = await come()
    const proof = { ...(await proofOf('elsewhere')), user_login_option_type: 11 }
    expect(await stays(guest, guest.api.accounts.claimAccount(proof))).toEqual(
      invalid('user_login_option_type', 'The selected user login option type is invalid.'),
    )
  })

  test('by one subject for two guests at once: one has it', async () => {
    const guests = [await come(), await come()]
    const claims = await Promise.allSettled(
      guests.map((guest, at) => claim(guest, 'one for two', proven(`two${at}@example.com`))),
    )
    const claimedAt = claims.findIndex(({ status }) => status === 'fulfilled')
    const loser = guests[1 - claimedAt] as (typeof guests)[number]
    expect(await stays(loser, claim(loser, 'one for two', proven('again@example.com')))).toEqual(taken)
    expect((await signIn('one for two')).user.id).toBe(guests[claimedAt]?.id)
  })
})

describe('a second claim is refused', () => {
  test('the person who proves it is theirs, also by the first one’s token', async () => {
    const guest = await come()
    const first = await proofOf('first', proven('first@example.com'))
    await guest.api.accounts.claimAccount(first)
    expect(await refusal(guest.api.accounts.claimAccount(first))).toEqual(notGuest)
    expect(await refusal(claim(guest, 'second', proven('second@example.com')))).toEqual(notGuest)
    const password = { user_password: 'a long password', user_password_confirmation: 'a long password' }
    const byPassword = guest.api.accounts.claimAccount({ user_email: 'second@example.com', ...password })
    expect(await refusal(byPassword)).toEqual(notGuest)
    expect(await refusal(signIn('second'))).toEqual(wrong)
    expect((await guest.api.accounts.readAccount()).user_email).toBe('first@example.com')
  })

  test('also of two at once', async () => {
    const guest = await come()
    const subjects = ['left', 'right']
    const claims = await Promise.allSettled(
      subjects.map(subject => claim(guest, subject, proven(`${subject}@example.com`))),
    )
    const claimedAt = claims.findIndex(({ status }) => status === 'fulfilled')
    expect((await signIn(subjects[claimedAt] ?? '')).user.id).toBe(guest.id)
    expect(await refusal(signIn(subjects[1 - claimedAt] ?? ''))).toEqual(wrong)
  })
})
