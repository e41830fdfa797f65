import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { evening } from '../../../test/party.ts'
import { invalid, refusal } from '../../../test/refused.ts'

const app = await openTestApp()
const [olivia, gus] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus')])
const paged = { page: 1, page_length: 50 }
const invitationOnly = { event_visibility: 3, event_join_mode: 3 }

const hold = async (fields: object = {}) => {
  const event = await olivia.extra.events.saveEvent(evening({ event_link: true, ...fields }))
  return { event_id: event.id, code: event.extra.event_link?.split('/').at(-1) ?? '', url: event.extra.event_link }
}
const linksOf = async (event_id: number) => (await olivia.extra.links.listLinks({ event_id, ...paged })).data
const roleOf = async (of: typeof olivia, event_id: number) => (await of.api.events.readEvent({ event_id })).event_role
const asking = async (event_id: number) =>
  (await olivia.api.events.listJoinRequests({ event_id, ...paged })).data.map(({ id }) => id)

test('an event has an open link for guests from the beginning if its creator asks for one, and none unasked', async () => {
  const { event_id, url } = await hold()
  expect(await linksOf(event_id)).toMatchObject([
    {
      link_url: url,
      link_kind: 'guest',
      link_status: 'open',
      link_asks: false,
      extra: { short_code: expect.stringMatching(/^[A-Z]+-\d{4}$/) },
    },
  ])
  const { id, extra } = await olivia.extra.events.saveEvent(evening())
  expect(extra.event_link).toBeUndefined()
  expect(await linksOf(id)).toEqual([])
  expect((await olivia.extra.events.readEvent({ event_id })).extra.event_link).toBeUndefined()
})

test('an event that is sent twice with one key has one link, and both answers carry it', async () => {
  const asked = evening({ event_link: true })
  const made = [1, 2].map(() => olivia.extra.events.saveEvent(asked, { idempotencyKey: 'the evening' }))
  const [one, other] = await Promise.all(made)
  expect(one?.extra.event_link).toMatch(/\/j\/[\w-]+$/)
  expect(other?.extra.event_link).toBe(one?.extra.event_link)
  expect(await linksOf(one?.id ?? 0)).toHaveLength(1)
})

test('an event that cannot be made leaves no link, and one that is there gets none by this', async () => {
  const over = { event_ends_at: '2020-01-01T00:00:00Z' }
  await expect(hold(over)).rejects.toThrow()
  const { event_id } = await hold()
  expect(await refusal(olivia.api.events.saveEvent({ event_id, event_link: true }))).toEqual(
    invalid('event_link', 'The selected event link is invalid.'),
  )
  expect(await linksOf(event_id)).toHaveLength(1)
})

test('the link of an event by invitation only asks a host, and lets in again who may come at once', async () => {
  const { event_id, code } = await hold(invitationOnly)
  expect((await app.as().links.openLink({ code })).link_asks).toBe(true)
  await gus.api.links.joinByLink({ code })
  await gus.api.links.joinByLink({ code })
  const { token, user } = await app.as().links.joinByLink({ code, user_first_name: 'Fabio' })
  expect(await asking(event_id)).toEqual(expect.arrayContaining([gus.id, user.id]))
  expect(await asking(event_id)).toHaveLength(2)
  expect(await roleOf(gus, event_id)).toBe('asked')
  const fabio = app.as(token)
  expect((await fabio.events.readEvent({ event_id })).event_role).toBe('asked')
  await olivia.api.events.approveJoinRequest({ event_id, user_id: user.id })
  expect((await fabio.events.readEvent({ event_id })).event_role).toBe('guest')

  await olivia.api.events.saveEvent({ event_id, event_join_mode: 1 })
  expect((await app.as().links.openLink({ code })).link_asks).toBe(false)
  await gus.api.links.joinByLink({ code })
  expect(await roleOf(gus, event_id)).toBe('guest')
  expect(await asking(event_id)).toEqual([])
})

test('an invited person joins without asking, and a link that a host makes by hand admits at once', async () => {
  const { event_id, code } = await hold(invitationOnly)
  await olivia.api.events.invite({ event_id, user_ids: [gus.id] })
  await gus.api.links.joinByLink({ code })
  expect(await roleOf(gus, event_id)).toBe('guest')
  const { link_code, link_asks } = await olivia.api.links.makeLink({ event_id })
  expect(link_asks).toBe(false)
  const { token } = await app.as().links.joinByLink({ code: link_code, user_first_name: 'Fabio' })
  expect((await app.as(token).events.readEvent({ event_id })).event_role).toBe('guest')
})

test('a theme is drawn wherever the event has no photo, until there is one, and comes along to a repeat', async () => {
  const { event_id, code } = await hold({ event_theme: 'sea' })
  const { extra, event_avatar_url, group_chat_id } = await olivia.extra.events.readEvent({ event_id })
  expect(extra.event_theme).toBe('sea')
  const { event_avatar_url: opened } = await app.as().links.openLink({ code })
  const { group_chat_avatar } = await olivia.api.chats.readChat({ group_chat_id })
  for (const address of [event_avatar_url, opened, group_chat_avatar]) expect(address).toMatch(/\?theme=sea$/)
  expect((await fetch(event_avatar_url)).status).toBe(200)
  const again = await olivia.extra.events.copyEvent({ event_id, event_starts_at: '2031-06-21T17:00:00Z' })
  expect(again.extra.event_theme).toBe('sea')
  expect(await refusal(olivia.api.events.saveEvent({ event_id, event_theme: 'moon' as 'sea' }))).toEqual(
    invalid('event_theme', 'The selected event theme is invalid.'),
  )
})
