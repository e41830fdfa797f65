import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { makeErasureDue } from '../src/accounts/account-deletion.ts'
import { resetPassword, revokeSessions, suspend, unsuspend } from '../src/accounts/moderation.ts'
import { openTestApp } from './app.ts'
import { enter, type Member } from './cast.ts'
import { listen } from './channel.ts'
import { codeIn, openMailServer } from './mail/mail-server.ts'
import { bringIn, evening } from './party.ts'
import { png } from './pictures.ts'
import { refusal } from './refused.ts'

const mails = await openMailServer()
const app = await openTestApp({}, { env: mails.env })
const statusOf = async (url: string) => (await fetch(url, { redirect: 'manual' })).status

let seed = 0
const uploaded = async (by: Member, event_id: number) => {
  seed += 1
  const image = new Blob([await png({ width: 30, height: 20, seed })])
  return by.extra.gallery.uploadPhoto({ event_id, image })
}

/** A guest of another's event, with every kind of link that they may receive, all of them valid. */
const withLinks = async () => {
  const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  const elsewhere = await olivia.api.events.saveEvent(evening())
  const other = await uploaded(olivia, elsewhere.id)
  const hers = await uploaded(olivia, event_id)
  const photo = await gus.extra.gallery.readPhoto({ event_photo_id: Number(hers.id) })
  await olivia.api.chats.saveMessage({
    group_chat_id,
    message_content: 'look',
    attachments: [new Blob([await png({ width: 30, height: 20, seed: 5_000 + seed })])],
  })
  const [message] = (await gus.api.chats.listMessages({ group_chat_id, page: 1, page_length: 1 })).data
  const { id: account_export_id } = await gus.api.privacy.exportAccount()
  const ready = await vi.waitFor(
    async () => {
      const made = await gus.api.privacy.readExport({ account_export_id })
      expect(made.export_state).toBe('ready')
      return made
    },
    { timeout: 60_000, interval: 50 },
  )
  const zip = async (wish = {}) => (await gus.api.gallery.linkAlbum({ event_id, ...wish })).download_url
  const links = {
    export: ready.export_url ?? '',
    album: await zip(),
    chosen: await zip({ event_photo_ids: [Number(photo.id)] }),
    shown: await zip({ size: 'shown' }),
    photo: photo.event_photo_url,
    original: photo.extra?.original?.url ?? '',
    screen: photo.extra?.screen_url ?? '',
    preview: photo.event_photo_preview_url,
    attachment: message?.attachments[0]?.message_attachment_url ?? '',
  }
  const answers = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(links).map(async ([name, url]) => [name, await statusOf(url)] as const)),
    )
  const all = (status: number) => Object.fromEntries(Object.keys(links).map(name => [name, status]))
  expect(await answers()).toEqual(all(200))
  const others = { hers: hers.event_photo_url, elsewhere: other.event_photo_url }
  return { olivia, gus, event_id, answers, all, account_export_id, others }
}
const signIn = ({ email }: Member, user_password: string) =>
  app.as().accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: email,
    user_password,
    device_id: 'another',
    user_timezone: 'UTC',
    user_device_platform: 'web',
  })
const next = { user_password: 'a brand new one', user_password_confirmation: 'a brand new one' }

const acts: Record<string, (gus: Member) => Promise<unknown>> = {
  'signing out everywhere': gus => gus.api.accounts.logout({ all_devices: true }),
  'a new password': gus => gus.api.accounts.updatePassword({ current_password: gus.password, ...next }),
  'a forgotten password': async gus => {
    await app.as().recovery.forgotPassword({ user_email: gus.email })
    const reset_code = codeIn(await mails.mailTo(gus.email, 2))
    await app.as().recovery.resetPassword({ reset_code, ...next })
  },
  'the removal of another device': async gus => {
    await signIn(gus, gus.password)
    await gus.api.accounts.removeDevice({ device_id: 'another' })
  },
  'a deletion': gus => gus.api.privacy.deleteAccount({ user_password: gus.password }),
  'a suspension': gus => suspend(app.db, gus.id),
  'an operator’s new password': gus => resetPassword(app.db, gus.id),
  'an operator’s end of all sessions': gus => revokeSessions(app.db, gus.id),
  'an operator’s erasure': gus => makeErasureDue(app.db, gus.id, { erasesContent: false }),
}

/** The links that each act ends, made beforehand and in parallel, as most of that time is spent waiting. */
let given: Awaited<ReturnType<typeof withLinks>>[] = []
beforeAll(async () => {
  given = await Promise.all(Object.keys(acts).map(withLinks))
})
test.each(Object.entries(acts))('after %s no earlier link of the user answers', async (name, act) => {
  const at = Object.keys(acts).indexOf(name)
  const { olivia, gus, event_id, answers, all, others } = given[at] as (typeof given)[number]
  await act(gus)
  expect(await answers()).toEqual(all(404))
  // Others keep their links, unless access was taken from somebody: then they load new ones.
  const { data } = await olivia.api.gallery.listPhotos({ event_id, page: 1, page_length: 5 })
  expect(await statusOf(data[0]?.event_photo_url ?? '')).toBe(200)
  expect(await statusOf(others.hers)).toBe(name === 'a suspension' ? 404 : 200)
  expect(await statusOf(others.elsewhere)).toBe(200)
})

test('a new password gives its own session links that open, in replies and over the channel', async () => {
  const olivia = await enter(app, 'olivia')
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const channel = await listen(app, olivia)
  await olivia.api.accounts.updatePassword({ current_password: olivia.password, ...next })
  const { id, event_photo_url } = await uploaded(olivia, event_id)
  const told = await channel.next('photo.created', photo => photo.id === id)
  expect([await statusOf(event_photo_url), await statusOf(told.event_photo_url)]).toEqual([200, 200])
})

test('an organizer made a guest again cannot open links to waiting photos, and gets new ones', async () => {
  const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  for (const one of [gus, ana]) await bringIn(olivia, event_id, one)
  await olivia.api.events.makeOrganizer({ event_id, user_id: ana.id })
  const shown = await uploaded(gus, event_id)
  await olivia.api.events.saveEvent(evening({ event_id, event_photo_approval: 'album' }))
  const waits = await uploaded(gus, event_id)
  const urlFor = async ({ api }: Member, { id }: { id: string }) =>
    (await api.gallery.readPhoto({ event_photo_id: Number(id) })).event_photo_url
  const [theirs, others] = [await urlFor(ana, waits), await urlFor(olivia, waits)]
  expect([await statusOf(theirs), await statusOf(others)]).toEqual([200, 200])
  await olivia.api.events.unmakeOrganizer({ event_id, user_id: ana.id })
  expect([await statusOf(theirs), await statusOf(others)]).toEqual([404, 200])
  expect(await statusOf(await urlFor(ana, shown))).toBe(200)
})

test('signing out one device ends no links', async () => {
  const { gus, answers, all } = await withLinks()
  await gus.api.accounts.logout()
  expect(await answers()).toEqual(all(200))
})

test('a suspended person has no standing: none of their links opens, not even one signed since', async () => {
  const { gus, event_id, answers, all, account_export_id } = await withLinks()
  await suspend(app.db, gus.id)
  // Links as a concurrent request would have left them: signed with the current epochs.
  await sql`update users set status = 1 where id = ${gus.id}`.execute(app.db)
  const { token } = await signIn(gus, gus.password)
  const api = app.as(token)
  const { download_url } = await api.gallery.linkAlbum({ event_id })
  const { export_url } = await api.privacy.readExport({ account_export_id })
  expect([await statusOf(download_url), await statusOf(export_url ?? '')]).toEqual([200, 200])
  await sql`update users set status = 3 where id = ${gus.id}`.execute(app.db)
  expect([await statusOf(download_url), await statusOf(export_url ?? '')]).toEqual([404, 404])
  expect(await answers()).toEqual(all(404))
  await unsuspend(app.db, gus.id)
  expect(await statusOf(download_url)).toBe(200)
})

test('signing out everywhere while others join and leave blocks nobody', async () => {
  const olivia = await enter(app, 'olivia')
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const { link_code: code } = await olivia.api.links.makeLink({ event_id })
  const people = await Promise.all(Array.from({ length: 6 }, () => enter(app, 'rita')))
  const results = await Promise.allSettled(
    people.flatMap(({ api }) => [
      api.links.joinByLink({ code }),
      api.accounts.logout({ all_devices: true }),
      app.as().links.joinByLink({ code, user_first_name: 'Guest' }),
    ]),
  )
  const failed = results.filter(result => result.status === 'rejected').map(result => result.reason.status)
  expect(failed.filter(status => status !== 401)).toEqual([])
  expect((await refusal(people[0]?.api.accounts.readAccount() as Promise<unknown>)).status).toBe(401)
})
