import { photographerPhotosMax } from '@afterglow/contract/limits'
import { sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { listen } from '../../../test/channel.ts'
import { wrongEvents } from '../../../test/event-state.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { anew, png } from '../../../test/pictures.ts'
import { invalid, refusal } from '../../../test/refused.ts'

const app = await openTestApp()
const olivia = await enter(app, 'olivia')
const picture = new Blob([await png({ width: 24, height: 16, seed: 3 })])
const paged = { page: 1, page_length: 50 }

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

const joinBy = async (code: string, user_first_name: string) => {
  const { token } = await app.as().links.joinByLink({ code, user_first_name })
  return { api: app.as(token), extra: app.withExtra(token) }
}

test('a photographer’s link lets its guest add thousands of photos, which say so, also as a guest, until it is closed', async () => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await olivia.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
  const link = await olivia.api.links.makeLink({ event_id, kind: 'drop', photographer: true })
  expect(link).toMatchObject({ link_kind: 'drop', link_photographer: true })
  expect(await app.as().links.openLink({ code: link.link_code })).toMatchObject({ link_photographer: true })
  const petra = await joinBy(link.link_code, 'Petra')
  expect(await petra.api.gallery.readAllowance({ event_id })).toMatchObject({ photos_max: photographerPhotosMax })
  const own = await petra.extra.gallery.uploadPhoto({ event_id, image: await anew(picture) })
  expect(own.extra).toMatchObject({ photographer: true })
  const marks = async () =>
    (await olivia.extra.gallery.listPhotos({ event_id, ...paged })).data.map(({ extra }) => extra?.photographer)
  expect(await marks()).toEqual([true, false])

  const guests = await olivia.api.links.makeLink({ event_id })
  await petra.api.links.joinByLink({ code: guests.link_code })
  await petra.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
  expect(await marks()).toEqual([true, true, false])
  await olivia.api.links.revokeLink({ link_id: link.id })
  await petra.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
  expect(await marks()).toEqual([false, true, true, false])
})

test.each([false, true])(
  'a link for adding photos ends adding when it expires (photographer: %s)',
  async photographer => {
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    const link = await olivia.api.links.makeLink({ event_id, kind: 'drop', photographer, max_uses: 10 })
    const [petra, gus] = [await joinBy(link.link_code, 'Petra'), await enter(app, 'gus')]
    await bringIn(olivia, event_id, gus)
    if (photographer) await gus.api.links.joinByLink({ code: link.link_code })
    await petra.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
    await sql`update event_links set expires_at = clock_timestamp() where id = ${link.id}`.execute(app.db)
    await vi.waitFor(
      async () => expect(await refusal(petra.api.gallery.readAllowance({ event_id }))).toMatchObject({ status: 401 }),
      { timeout: 20_000, interval: 200 },
    )
    const { extra } = await gus.extra.gallery.uploadPhoto({ event_id, image: await anew(picture) })
    expect(extra.photographer).toBe(false)
  },
)

describe('a member who opens the photographer’s link', async () => {
  const [gus, ana, asha, remy, rita, gwen] = (await Promise.all(
    (['gus', 'ana', 'asha', 'remy', 'rita', 'gwen'] as const).map(name => enter(app, name)),
  )) as [Member, Member, Member, Member, Member, Member]
  const hold = async () => {
    const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_album_for: 'coming' }))
    for (const guest of [gus, ana, remy]) await bringIn(olivia, event_id, guest)
    const { id: link_id, link_code: code } = await olivia.api.links.makeLink({
      event_id,
      kind: 'drop',
      photographer: true,
      max_uses: 10,
    })
    const join = ({ api }: Member) => api.links.joinByLink({ code })
    const most = async ({ api }: Member) => (await api.gallery.readAllowance({ event_id })).photos_max
    const isMarked = async ({ extra }: Member) =>
      (await extra.gallery.uploadPhoto({ event_id, image: await anew(picture) })).extra?.photographer
    const role = async ({ api }: Member) => (await api.events.readEvent({ event_id })).event_role
    const uses = async () =>
      (await olivia.api.links.listLinks({ event_id, ...paged })).data.find(({ id }) => id === link_id)?.link_uses
    return { event_id, link_id, code, join, most, isMarked, role, uses }
  }

  test('stays a guest or an organizer, with the mark and the number of photos until it is closed', async () => {
    const { event_id, link_id, join, most, isMarked, role, uses } = await hold()
    await ana.api.plans.answerEvent({ event_id, event_answer: 'no' })
    const inside = [olivia, gus, ana]
    const [before, roles] = [await Promise.all(inside.map(most)), await Promise.all(inside.map(role))]
    const heard = await listen(app, gus)
    for (const one of inside) {
      await join(one)
      await join(one)
      expect(await most(one)).toBe(photographerPhotosMax)
      expect(await isMarked(one)).toBe(true)
    }
    expect(await uses()).toBe(3)
    expect(await Promise.all(inside.map(role))).toEqual(roles)
    expect(await refusal(ana.api.gallery.listPhotos({ event_id, ...paged }))).toMatchObject({ status: 400 })
    await vi.waitFor(() => expect(heard.kinds()).toContain('event.updated'))

    // An organizer's own number holds again once it is closed.
    await olivia.api.gallery.allowPhotos({ event_id, user_id: gus.id, photos_max: 7 })
    expect(await most(gus)).toBe(photographerPhotosMax)
    const told = heard.kinds().length
    await olivia.api.links.revokeLink({ link_id })
    await vi.waitFor(() => expect(heard.kinds().slice(told)).toContain('event.updated'))
    expect(await Promise.all(inside.map(most))).toEqual([before[0], 7, before[2]])
    for (const one of inside) expect(await isMarked(one)).toBe(false)
    expect(await Promise.all(inside.map(role))).toEqual(roles)
    heard.close()
  })

  test('adds photos by it while they wait or after a refusal, is the photographer still once let in, and never after a removal', async () => {
    const { event_id, code, join, most, isMarked, role } = await hold()
    for (const one of [asha, rita]) await one.api.events.askToJoin({ event_id })
    await olivia.api.events.rejectJoinRequest({ event_id, user_id: rita.id })
    await olivia.api.events.invite({ event_id, user_ids: [gwen.id] })
    await olivia.api.events.removeGuest({ event_id, user_id: remy.id })
    expect(await refusal(join(remy))).toMatchObject({ status: 400 })
    for (const one of [asha, rita, gwen]) {
      await join(one)
      expect([await most(one), await isMarked(one), await role(one)]).toEqual([photographerPhotosMax, true, 'none'])
    }
    await olivia.api.events.approveJoinRequest({ event_id, user_id: asha.id })
    const [invitation] = (await gwen.api.events.listInvitations({ ...paged })).data
    await gwen.api.events.acceptInvitation({ invitation_id: invitation?.id ?? 0 })
    for (const one of [asha, gwen])
      expect([await most(one), await isMarked(one), await role(one)]).toEqual([photographerPhotosMax, true, 'guest'])
    // A photographer who leaves and comes back by another link is a guest and no more.
    await gus.api.links.joinByLink({ code })
    await gus.api.events.leaveEvent({ event_id })
    const { link_code } = await olivia.api.links.makeLink({ event_id })
    await gus.api.links.joinByLink({ code: link_code })
    expect(await isMarked(gus)).toBe(false)
  })

  test('needs a use of it that is left, and its PIN', async () => {
    const { event_id } = await hold()
    const make = (fields: object) =>
      olivia.api.links.makeLink({ event_id, kind: 'drop', photographer: true, ...fields })
    const single = await make({ max_uses: 1 })
    await gus.api.links.joinByLink({ code: single.link_code })
    expect(await refusal(ana.api.links.joinByLink({ code: single.link_code }))).toMatchObject({ status: 400 })
    const { link_code: code } = await make({ pin: '0427' })
    expect(await refusal(ana.api.links.joinByLink({ code, pin: '9999' }))).toMatchObject({ status: 400 })
    expect((await ana.api.gallery.readAllowance({ event_id })).photos_max).toBeLessThan(photographerPhotosMax)
    await ana.api.links.joinByLink({ code, pin: '0427' })
    expect((await ana.api.gallery.readAllowance({ event_id })).photos_max).toBe(photographerPhotosMax)
  })
})

test('nobody else is a photographer: neither who adds photos by another link, nor who is a guest', async () => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  for (const kind of ['guest', 'look', 'screen'] as const)
    expect(await refusal(olivia.api.links.makeLink({ event_id, kind, photographer: true }))).toEqual(
      invalid('photographer', 'The selected photographer is invalid.'),
    )
  const { link_code, link_photographer } = await olivia.api.links.makeLink({ event_id, kind: 'drop' })
  expect(link_photographer).toBe(false)
  const fabio = await joinBy(link_code, 'Fabio')
  const own = await fabio.extra.gallery.uploadPhoto({ event_id, image: await anew(picture) })
  expect(own.extra).toMatchObject({ photographer: false })
  expect((await fabio.api.gallery.readAllowance({ event_id })).photos_max).toBeLessThan(photographerPhotosMax)
})
