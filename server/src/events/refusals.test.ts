import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import type { Member } from '../../test/cast.ts'
import { unchanged, wrongEvents } from '../../test/event-state.ts'
import { evening, party } from '../../test/party.ts'
import { notFound, refusal, says } from '../../test/refused.ts'

const app = await openTestApp()
const cast = await party(app)
const { olivia, gus, asha, sam, remy, gwen, event } = cast

const page = { page: 1, page_length: 10 }
/** Every operation on one event; `user` is the person it concerns, where there is one. */
const operations = {
  saveEvent: (by: Member, event_id: number) => by.api.events.saveEvent(evening({ event_id })),
  readEvent: (by: Member, event_id: number) => by.api.events.readEvent({ event_id }),
  cancelEvent: (by: Member, event_id: number) => by.api.events.cancelEvent({ event_id }),
  deleteEvent: (by: Member, event_id: number) => by.api.events.deleteEvent({ event_id }),
  askToJoin: (by: Member, event_id: number) => by.api.events.askToJoin({ event_id }),
  withdrawJoinRequest: (by: Member, event_id: number) => by.api.events.withdrawJoinRequest({ event_id }),
  listJoinRequests: (by: Member, event_id: number) => by.api.events.listJoinRequests({ event_id, ...page }),
  approveJoinRequest: (by: Member, event_id: number, user_id: number) =>
    by.api.events.approveJoinRequest({ event_id, user_id }),
  rejectJoinRequest: (by: Member, event_id: number, user_id: number) =>
    by.api.events.rejectJoinRequest({ event_id, user_id }),
  invite: (by: Member, event_id: number, user_id: number) => by.api.events.invite({ event_id, user_ids: [user_id] }),
  listGuests: (by: Member, event_id: number) => by.api.events.listGuests({ event_id, ...page }),
  removeGuest: (by: Member, event_id: number, user_id: number) => by.api.events.removeGuest({ event_id, user_id }),
  leaveEvent: (by: Member, event_id: number) => by.api.events.leaveEvent({ event_id }),
  makeOrganizer: (by: Member, event_id: number, user_id: number) => by.api.events.makeOrganizer({ event_id, user_id }),
  unmakeOrganizer: (by: Member, event_id: number, user_id: number) =>
    by.api.events.unmakeOrganizer({ event_id, user_id }),
}
type Operation = keyof typeof operations
const every = Object.keys(operations) as Operation[]

const noSuchEvent = notFound('Event not found!')
const noSuchUser = notFound('User not found!')
const notOrganizer = says('The user is not an organizer of the event')
const notInEvent = says('The user is neither a guest nor an organizer of the event')
const notAsked = says('The user has not asked to join the event')
const lastOrganizer = says('The event must keep at least one organizer')
const cancelled = says('The event has been cancelled')

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

describe('in a public event', () => {
  const unknown = 999_999
  type Row = [operation: Operation, refused: Member[], user: number, reply: { status: number; body: unknown }]
  const outside = [asha, sam, remy, gwen]
  test.each<Row>([
    ['saveEvent', [gus, ...outside], 0, notOrganizer],
    ['cancelEvent', [gus, ...outside], 0, notOrganizer],
    ['deleteEvent', [gus, ...outside], 0, notOrganizer],
    ['listJoinRequests', [gus, ...outside], 0, notOrganizer],
    ['approveJoinRequest', [gus, ...outside], asha.id, notOrganizer],
    ['rejectJoinRequest', [gus, ...outside], asha.id, notOrganizer],
    ['invite', [gus, ...outside], sam.id, notOrganizer],
    ['invite', [gus, ...outside], unknown, notOrganizer],
    ['removeGuest', [gus, ...outside], gus.id, notOrganizer],
    ['removeGuest', [gus, ...outside], unknown, notOrganizer],
    ['makeOrganizer', [gus, ...outside], gus.id, notOrganizer],
    ['unmakeOrganizer', [gus, ...outside], olivia.id, notOrganizer],
    ['askToJoin', [olivia], 0, says('The user is already in the event')],
    ['withdrawJoinRequest', [olivia, gus, sam, remy, gwen], 0, notAsked],
    ['listGuests', outside, 0, notInEvent],
    ['leaveEvent', outside, 0, notInEvent],
    ['leaveEvent', [olivia], 0, lastOrganizer],
    ['unmakeOrganizer', [olivia], olivia.id, lastOrganizer],
    ['removeGuest', [olivia], olivia.id, says('An organizer cannot be removed')],
    ['approveJoinRequest', [olivia], sam.id, notAsked],
    ['rejectJoinRequest', [olivia], gus.id, notAsked],
    ['rejectJoinRequest', [olivia], unknown, notAsked],
    ...[asha.id, sam.id, unknown].map((user): Row => ['removeGuest', [olivia], user, noSuchUser]),
    ...([asha.id, sam.id, remy.id, unknown] as const).flatMap((user): Row[] => [
      ['makeOrganizer', [olivia], user, noSuchUser],
      ['unmakeOrganizer', [olivia], user, noSuchUser],
    ]),
  ])('%s is refused in its words and writes nothing', async (operation, refused, user, reply) => {
    await unchanged(app.db, event.id, async () => {
      for (const member of refused) expect(await refusal(operations[operation](member, event.id, user))).toEqual(reply)
    })
  })
})

test.each(every)('%s finds neither an event that never was nor one that was deleted', async operation => {
  const { id } = await olivia.api.events.saveEvent(evening())
  expect(await olivia.api.events.deleteEvent({ event_id: id })).toEqual({ done: true })
  await unchanged(app.db, id, async () => {
    for (const member of [olivia, sam]) {
      // To delete it again is no mistake of the owner's.
      if (member !== olivia || operation !== 'deleteEvent')
        expect(await refusal(operations[operation](member, id, gus.id))).toEqual(noSuchEvent)
      expect(await refusal(operations[operation](member, 999_999, gus.id))).toEqual(noSuchEvent)
    }
  })
})

describe.each([
  ['link', 2],
  ['private', 3],
])('an event with visibility %s', async (_, event_visibility) => {
  const hidden = await party(app)
  const { id } = await hidden.olivia.api.events.saveEvent(evening({ event_id: hidden.event.id, event_visibility }))

  // A documented operation: the existence of an ID is no secret, and its words are the documented ones.
  test('refuses a stranger the list of join requests in its documented words', async () => {
    for (const member of [hidden.sam, hidden.remy, hidden.gwen])
      expect(await refusal(operations.listJoinRequests(member, id))).toEqual(notOrganizer)
  })

  test.each(every.filter(operation => operation !== 'listJoinRequests'))(
    '%s finds no event for a stranger or for who was removed',
    async operation => {
      await unchanged(app.db, id, async () => {
        for (const member of [hidden.sam, hidden.remy, hidden.gwen])
          expect(await refusal(operations[operation](member, id, hidden.gus.id))).toEqual(noSuchEvent)
      })
    },
  )

  test('shows itself to its organizers and guests, to who has asked and who is invited', async () => {
    const { olivia, gus, asha, sam, gwen } = hidden
    await olivia.api.events.invite({ event_id: id, user_ids: [sam.id] })
    for (const member of [olivia, gus, asha, sam])
      expect(await member.api.events.readEvent({ event_id: id })).toMatchObject({ id, event_visibility })
    const all = await gwen.api.events.listEvents({ filter: 'public', page: 1, page_length: 100 })
    expect(all.data.map(listed => listed.id)).not.toContain(id)
  })
})

describe('a cancelled event', async () => {
  const off = await party(app)
  await off.olivia.api.events.invite({ event_id: off.event.id, user_ids: [off.gwen.id] })
  await off.olivia.api.events.cancelEvent({ event_id: off.event.id })

  test.each<[Operation, Member, number]>([
    ['saveEvent', off.olivia, 0],
    ['askToJoin', off.sam, 0],
    ['askToJoin', off.gwen, 0],
    ['approveJoinRequest', off.olivia, off.asha.id],
    ['rejectJoinRequest', off.olivia, off.asha.id],
    ['invite', off.olivia, off.sam.id],
  ])('%s is refused', async (operation, member, user) => {
    await unchanged(app.db, off.event.id, async () =>
      expect(await refusal(operations[operation](member, off.event.id, user))).toEqual(cancelled),
    )
  })

  test('its invitations cannot be accepted, only declined', async () => {
    const { data } = await off.gwen.api.events.listInvitations(page)
    const invitation_id = data[0]?.id ?? 0
    expect(data[0]?.event.event_status).toBe(2)
    await unchanged(app.db, off.event.id, async () =>
      expect(await refusal(off.gwen.api.events.acceptInvitation({ invitation_id }))).toEqual(cancelled),
    )
    expect(await off.gwen.api.events.declineInvitation({ invitation_id })).toEqual({ done: true })
  })

  test('is still read by everybody in it, its chat cannot be written in, and one may go', async () => {
    const { olivia, gus, asha } = off
    const event_id = off.event.id
    expect(await gus.extra.events.readEvent({ event_id })).toMatchObject({
      event_status: 2,
      event_role: 'guest',
      extra: { may: { ask: false, chat: false, upload: false, invite: false, manage: false, leave: true } },
    })
    const chat = await app.db.selectFrom('group_chats').select('status').where('event_id', '=', event_id).execute()
    expect(chat).toEqual([{ status: 2 }])
    expect((await olivia.api.events.listGuests({ event_id, ...page })).data).toHaveLength(2)
    expect(await asha.api.events.withdrawJoinRequest({ event_id })).toEqual({ join_request_status: 'withdrawn' })
    expect(await gus.api.events.leaveEvent({ event_id })).toEqual({ done: true })
  })
})
