import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { unchanged, wrongEvents } from '../../../test/event-state.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { jpeg } from '../../../test/pictures.ts'
import { refusal, says } from '../../../test/refused.ts'
import { statementsOf } from '../../../test/statements.ts'
import { openSigner } from '../../platform/media/signed-url.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam } = await party(app)

const hold = async (...guests: Member[]) => {
  const { id } = await olivia.api.events.saveEvent(evening())
  for (const guest of guests) await bringIn(olivia, id, guest)
  return id
}
const rowOf = (event_id: number) =>
  app.db.selectFrom('events').selectAll().where('id', '=', event_id).executeTakeFirstOrThrow()
const guests = async (event_id: number) =>
  (await olivia.api.events.listGuests({ event_id, page: 1, page_length: 100 })).data.map(
    ({ user, event_role }) => [user.id, event_role] as const,
  )

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

/** A URL of a picture in the event, as it would be signed now. */
const pictureOf = async (event_id: number) => {
  const event_avatar = new Blob([await jpeg({ seed: event_id })])
  await olivia.api.events.saveEvent(evening({ event_id, event_avatar }))
  const { avatar_media_id: object, media_epoch: epoch } = await rowOf(event_id)
  if (object === null) throw new Error('the event has no picture')
  await app.db.updateTable('media').set({ event_id }).where('id', '=', object).execute()
  const signer = openSigner({ id: 'test', key: Buffer.alloc(32, 7) })
  return `${app.url}/${signer.sign({ object, variant: 'display', epoch })}`
}

test.each([
  ['removing a guest', (event_id: number) => olivia.api.events.removeGuest({ event_id, user_id: gus.id })],
  ['deleting the event', (event_id: number) => olivia.api.events.deleteEvent({ event_id })],
])('%s kills every media URL of the event', async (_, act) => {
  const event_id = await hold(gus)
  const url = await pictureOf(event_id)
  expect((await fetch(url)).status).toBe(200)
  expect(await act(event_id)).toEqual({ done: true })
  expect((await fetch(url)).status).toBe(404)
})

test('a removed guest is nobody to the event, at once', async () => {
  const event_id = await hold(gus)
  const { media_epoch } = await rowOf(event_id)
  await olivia.api.events.removeGuest({ event_id, user_id: gus.id })
  expect(await rowOf(event_id)).toMatchObject({ guests_count: 1, media_epoch: media_epoch + 1 })
  expect(await gus.api.events.readEvent({ event_id })).toMatchObject({ event_role: 'none', event_guests_count: 1 })
  expect(await refusal(gus.api.events.listGuests({ event_id, page: 1, page_length: 5 }))).toEqual(
    says('The user is neither a guest nor an organizer of the event'),
  )
  expect(await guests(event_id)).toEqual([[olivia.id, 'organizer']])
  const again = () => olivia.api.events.removeGuest({ event_id, user_id: gus.id })
  expect(await unchanged(app.db, event_id, again)).toEqual({ done: true })
})

test('a guest who leaves is gone, and may come back as a guest only', async () => {
  const event_id = await hold(gus)
  await olivia.api.events.makeOrganizer({ event_id, user_id: gus.id })
  await gus.api.events.leaveEvent({ event_id })
  expect(await rowOf(event_id)).toMatchObject({ guests_count: 1, media_epoch: 0, departures: 1 })
  await bringIn(olivia, event_id, gus)
  expect(await guests(event_id)).toEqual([
    [olivia.id, 'organizer'],
    [gus.id, 'guest'],
  ])
})

test('an organizer must be made a guest before being taken out', async () => {
  const event_id = await hold(gus)
  expect(await olivia.api.events.makeOrganizer({ event_id, user_id: gus.id })).toMatchObject({
    user: { id: gus.id },
    event_role: 'organizer',
  })
  const remove = () => olivia.api.events.removeGuest({ event_id, user_id: gus.id })
  expect(await unchanged(app.db, event_id, () => refusal(remove()))).toEqual(says('An organizer cannot be removed'))
  expect(await olivia.api.events.unmakeOrganizer({ event_id, user_id: gus.id })).toMatchObject({ event_role: 'guest' })
  expect(await remove()).toEqual({ done: true })
})

test('making somebody what they are already changes nothing', async () => {
  const event_id = await hold(gus)
  await unchanged(app.db, event_id, async () => {
    await olivia.api.events.makeOrganizer({ event_id, user_id: olivia.id })
    await olivia.api.events.unmakeOrganizer({ event_id, user_id: gus.id })
  })
})

test('an organizer who was made a guest manages nothing any more', async () => {
  const event_id = await hold(gus, asha)
  await olivia.api.events.makeOrganizer({ event_id, user_id: gus.id })
  expect(await olivia.api.events.unmakeOrganizer({ event_id, user_id: gus.id })).toMatchObject({ event_role: 'guest' })
  expect(await refusal(gus.api.events.removeGuest({ event_id, user_id: asha.id }))).toEqual(
    says('The user is not an organizer of the event'),
  )
  expect(await gus.api.events.leaveEvent({ event_id })).toEqual({ done: true })
})

test('guests stand after organizers, in the order they joined, page by page', async () => {
  const more = [await enter(app, 'remy'), await enter(app, 'gwen')]
  const event_id = await hold(sam, gus, asha, ...more)
  await olivia.api.events.makeOrganizer({ event_id, user_id: asha.id })
  const expected = [olivia.id, asha.id, sam.id, gus.id, ...more.map(({ id }) => id)]
  expect((await guests(event_id)).map(([id]) => id)).toEqual(expected)
  const page = (page: number, page_length: number) => gus.api.events.listGuests({ event_id, page, page_length })
  const pages = [await page(1, 4), await page(2, 4)]
  expect(pages.flatMap(({ data }) => data.map(({ user }) => user.id))).toEqual(expected)
  expect(pages.map(({ from, to, next_page_url }) => [from, to, next_page_url !== null])).toEqual([
    [1, 4, true],
    [5, 6, false],
  ])
  expect(await statementsOf(() => page(1, 1))).toBe(await statementsOf(() => page(1, 50)))
})
