import { randomUUID } from 'node:crypto'
import { AfterglowError } from '@afterglow/sdk'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { filmTool, hasFfmpeg, mp4 } from './films.ts'
import { later } from './later.ts'
import { openIssuer } from './openid/issuer.ts'
import { bringIn, evening, party } from './party.ts'
import { anew, png } from './pictures.ts'
import { addressOf, tusFor } from './tus.ts'

/*
 * Refusals that the slices' own tests do not cause. Every code of every operation is seen somewhere:
 * contract/src/openapi.test.ts.
 */

const page = { page: 1, page_length: 5 }
const picture = new Blob([await png({ width: 24, height: 16, seed: 3 })])

const codeOf = (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(
    () => 'was not refused',
    fault => (fault instanceof AfterglowError ? fault.code : Promise.reject(fault)),
  )

describe('a refusal for something unknown', async () => {
  const app = await openTestApp()
  const olivia = await enter(app, 'olivia')
  const { api } = olivia
  const event_id = 999_999

  test.each(
    Object.entries({
      readEventLevel: () => api.notifications.readEventLevel({ event_id }),
      saveEventLevel: () => api.notifications.saveEventLevel({ event_id, level: 'nothing' }),
      listAudit: () => api.events.listAudit({ event_id, ...page }),
      listAnnouncements: () => api.announcements.listAnnouncements({ event_id, ...page }),
      makeAnnouncement: () => api.announcements.makeAnnouncement({ event_id, announcement_text: 'The bus leaves' }),
      listLinks: () => api.links.listLinks({ event_id, ...page }),
      makeLink: () => api.links.makeLink({ event_id }),
      makeReturnKey: () => api.returns.makeReturnKey({ event_id, return_key: 'x'.repeat(43) }),
      listReturns: () => api.returns.listReturns({ event_id, ...page }),
      letInAgain: () => api.returns.letInAgain({ event_id, user_id: olivia.id }),
      allowPhotos: () => api.gallery.allowPhotos({ event_id, photos_max: 3 }),
      approvePhotos: () => api.gallery.approvePhotos({ event_id, event_photo_ids: [1] }),
      refusePhotos: () => api.gallery.refusePhotos({ event_id, event_photo_ids: [1] }),
      revealPhotos: () => api.gallery.revealPhotos({ event_id }),
      listDeletedPhotos: () => api.gallery.listDeletedPhotos({ event_id, ...page }),
      readAllowance: () => api.gallery.readAllowance({ event_id }),
      listWebhooks: () => api.webhooks.listWebhooks({ event_id, ...page }),
      makeWebhook: () => api.webhooks.makeWebhook({ event_id, webhook_url: 'https://hook.example/' }),
    }),
  )('is returned by %s', async (_, call) => expect(await codeOf(call())).toBe('noSuchEvent'))

  test('is the same for unknown people, photos and messages', async () => {
    const { id } = await olivia.api.events.saveEvent(evening())
    expect(await codeOf(api.gallery.readAllowance({ event_id: id, user_id: 999_999 }))).toBe('noSuchUser')
    expect(await codeOf(api.gallery.unhidePhoto({ event_photo_id: 999_999 }))).toBe('noSuchPhoto')
    expect(await codeOf(api.chats.listReactedUsers({ message_id: 999_999, ...page }))).toBe('noSuchMessage')
    expect(await codeOf(api.chats.listSeen({ message_id: 999_999, ...page }))).toBe('noSuchMessage')
    expect(await codeOf(api.chats.unpinMessage({ message_id: 999_999 }))).toBe('noSuchMessage')
  })

  test('covers a cancelled event’s links and typing in its chat', async () => {
    const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
    await olivia.api.events.cancelEvent({ event_id: id })
    expect(await codeOf(api.links.makeLink({ event_id: id }))).toBe('cancelled')
    expect(await codeOf(api.chats.sayTyping({ group_chat_id }))).toBe('notOpen')
  })

  test('covers a repeated upload whose photo is deleted: it makes no other', async () => {
    const { id } = await olivia.api.events.saveEvent(evening())
    const key = { idempotencyKey: randomUUID() }
    const image = await anew(picture)
    const photo = await api.gallery.uploadPhoto({ event_id: id, image }, key)
    await api.gallery.deletePhoto({ event_photo_id: Number(photo.id) })
    expect(await codeOf(api.gallery.uploadPhoto({ event_id: id, image }, key))).toBe('noSuchPhoto')
  })

  test('tells a removed guest nothing more of their upload', async () => {
    const gus = await enter(app, 'gus')
    const { id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, id, gus)
    const tus = tusFor(app.url, gus)
    const at = await addressOf(tus.open(10, { event_id: id, kind: 'image' }))
    await olivia.api.events.removeGuest({ event_id: id, user_id: gus.id })
    expect((await tus.head(at)).headers.get('x-refusal')).toBe('mayNotUpload')
  })

  test('is returned for a write to an upload held by another request, without waiting for good', {
    tags: 'slow',
  }, async () => {
    const { id } = await olivia.api.events.saveEvent(evening())
    const tus = tusFor(app.url, olivia)
    const at = await addressOf(tus.open(10, { event_id: id, kind: 'image' }))
    const { promise: free, resolve: release } = Promise.withResolvers<void>()
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const holding = later(
      app.db.transaction().execute(async tx => {
        await sql`lock table upload_sessions in exclusive mode`.execute(tx)
        hold()
        await free
      }),
    )
    await held
    const both = [1, 2].map(() => tus.patch(at, 0, Buffer.alloc(10)))
    const refused = await Promise.race(both)
    release()
    await holding
    expect([refused.status, refused.headers.get('x-refusal')]).toEqual([423, 'otherWriter'])
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([204, 423])
  })

  test('prevents a transfer of an account through an unattended phone', async () => {
    const gus = await enter(app, 'gus')
    await sql`update devices set created_at = now() - interval '1 hour', proven_at = null where user_id = ${gus.id}`.execute(
      app.db,
    )
    expect(await codeOf(gus.api.transfers.makeTransfer())).toBe('proveFirst')
  })
})

describe.each([
  ['personFull', (id: number) => id],
  ['instanceFull', () => 0],
])('%s', async (code, whose) => {
  const app = await openTestApp(
    { personBytesMax: 1e9, instanceBytesMax: 1e10 },
    hasFfmpeg ? { video: await filmTool() } : {},
  )
  const { olivia, event } = await party(app)
  const { api } = olivia
  const profile = {
    user_first_name: 'Olivia',
    user_last_name: 'Ortega',
    user_email: olivia.email,
    user_username: olivia.username,
  }
  // A picture to export: an empty export takes no room.
  beforeAll(async () => {
    await api.gallery.uploadPhoto({ event_id: event.id, image: await anew(picture) })
    await sql`insert into stored_bytes (user_id, bytes) values (${whose(olivia.id)}, 20000000000)
      on conflict (user_id) do update set bytes = excluded.bytes`.execute(app.db)
  })

  test.each(
    Object.entries({
      stageAvatar: async () => api.accounts.stageAvatar({ profile_picture: await anew(picture) }),
      updateAccount: async () => api.accounts.updateAccount({ ...profile, profile_picture: await anew(picture) }),
      saveEvent: async () => api.events.saveEvent({ ...evening(), event_avatar: await anew(picture) }),
      saveMessage: async () =>
        api.chats.saveMessage({
          group_chat_id: event.group_chat_id,
          message_content: 'Look',
          attachments: [await anew(picture)],
        }),
      ...(hasFfmpeg && {
        sendVideo: async () =>
          api.chats.sendVideo({
            group_chat_id: event.group_chat_id,
            message_content: 'Look',
            image: await anew(picture),
            video: new Blob([new Uint8Array(await mp4({ seconds: 1 }))]),
          }),
      }),
      uploadPhoto: async () => api.gallery.uploadPhoto({ event_id: event.id, image: await anew(picture) }),
      exportAccount: () => api.privacy.exportAccount(),
    }),
  )('is returned by %s', async (_, call) => expect(await codeOf(call())).toBe(code))

  test('is returned before the first byte of a resumable upload', async () => {
    const opened = await tusFor(app.url, olivia).open(10, { event_id: event.id, kind: 'image' })
    expect(opened.headers.get('x-refusal')).toBe(code)
  })
})

describe('an unavailable provider', async () => {
  const issuer = await openIssuer()
  const app = await openTestApp({}, { env: issuer.env })
  const olivia = await enter(app, 'olivia')
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const { link_code: code } = await olivia.api.links.makeLink({ event_id })
  const device = { device_id: 'a phone', user_timezone: 'UTC', user_device_platform: 'ios' }
  const { token } = await app
    .as()
    .links.joinByLink({ code, user_first_name: 'Anna', device_id: 'a phone' }, { idempotencyKey: randomUUID() })
  const proof = {
    user_login_option_type: 10,
    user_login_option_unique_identifier: 'somebody',
    user_password: await issuer.idToken('somebody'),
  }
  issuer.is('away')

  test.each(
    Object.entries({
      claimAccount: () => app.as(token).accounts.claimAccount(proof),
      register: () =>
        app.as().accounts.register({
          ...proof,
          ...device,
          user_first_name: 'Some',
          user_last_name: 'Body',
          user_username: 'somebody',
          user_email: 'somebody@example.com',
        }),
      linkLoginOption: () => olivia.api.providers.linkLoginOption(proof),
    }),
  )('is reported by %s', async (_, call) => expect(await codeOf(call())).toBe('providerAway'))

  test('links nothing with a code that no browser returned', async () => {
    const made = { provider_code: 'x'.repeat(43), provider_verifier: 'y'.repeat(43) }
    const asked = { user_login_option_type: 10, ...made }
    expect(await codeOf(olivia.api.providers.linkLoginOption(asked))).toBe('badProviderCode')
  })
})
