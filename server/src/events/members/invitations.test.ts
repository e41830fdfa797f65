import { strangersInvitedPerDay } from '@afterglow/contract/limits'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter, type Member } from '../../../test/cast.ts'
import { unchanged, wrongEvents } from '../../../test/event-state.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { notFound, refusal, says } from '../../../test/refused.ts'
import { statementsOf } from '../../../test/statements.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam, remy, gwen } = await party(app)
const noSuchInvitation = notFound('Invitation not found!')

const hold = async (more: Record<string, unknown> = {}) =>
  (await olivia.api.events.saveEvent(evening({ event_visibility: 3, event_join_mode: 3, ...more }))).id
const invite = async (event_id: number, ...people: Member[]) =>
  (await olivia.api.events.invite({ event_id, user_ids: people.map(({ id }) => id) })).invited_count
const role = async (member: Member, event_id: number) =>
  (await olivia.api.events.listGuests({ event_id, page: 1, page_length: 100 })).data.find(
    ({ user }) => user.id === member.id,
  )?.event_role
const invitationsOf = async (member: Member) =>
  (await member.api.events.listInvitations({ page: 1, page_length: 100 })).data
const invitationTo = async (member: Member, event_id: number) =>
  (await invitationsOf(member)).find(({ event }) => event.id === event_id)

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

test('an invitation shows the event and who invited, and lets in by accepting it', async () => {
  const event_id = await hold()
  expect(await invite(event_id, sam)).toBe(1)
  const invitation = await invitationTo(sam, event_id)
  expect(invitation).toMatchObject({
    event: { id: event_id, event_role: 'invited', event_guests_count: 1 },
    invited_by: { id: olivia.id, user_first_name: 'Olivia' },
  })
  const accepted = await sam.api.events.acceptInvitation({ invitation_id: invitation?.id ?? 0 })
  expect(accepted).toMatchObject({ id: event_id, event_role: 'guest', event_guests_count: 2 })
  expect(await invitationTo(sam, event_id)).toBeUndefined()
})

test('asking to join accepts an open invitation, in every mode', async () => {
  for (const event_join_mode of [1, 2, 3]) {
    const event_id = await hold({ event_join_mode })
    await invite(event_id, sam)
    expect(await sam.api.events.askToJoin({ event_id })).toEqual({ join_request_status: 'joined' })
    expect(await invitationTo(sam, event_id)).toBeUndefined()
  }
})

test('accepting again changes nothing while one is in, and opens nothing afterwards', async () => {
  const event_id = await hold()
  await invite(event_id, sam)
  const invitation_id = (await invitationTo(sam, event_id))?.id ?? 0
  const accept = () => sam.api.events.acceptInvitation({ invitation_id })
  await accept()
  expect(await unchanged(app.db, event_id, accept)).toMatchObject({ event_role: 'guest' })
  expect(await refusal(sam.api.events.declineInvitation({ invitation_id }))).toEqual(noSuchInvitation)
  await olivia.api.events.removeGuest({ event_id, user_id: sam.id })
  await unchanged(app.db, event_id, async () => expect(await refusal(accept())).toEqual(noSuchInvitation))
})

test('a person who declined, or was taken out, can be invited again and is in the same place as before', async () => {
  const event_id = await hold()
  await invite(event_id, sam)
  const invitation_id = (await invitationTo(sam, event_id))?.id ?? 0
  expect(await sam.api.events.declineInvitation({ invitation_id })).toEqual({ done: true })
  expect(await sam.api.events.declineInvitation({ invitation_id })).toEqual({ done: true })
  expect(await refusal(sam.api.events.acceptInvitation({ invitation_id }))).toEqual(noSuchInvitation)
  expect(await refusal(sam.api.events.readEvent({ event_id }))).toEqual(notFound('Event not found!'))
  expect(await invite(event_id, sam)).toBe(1)
  expect(await sam.api.events.acceptInvitation({ invitation_id })).toMatchObject({ event_role: 'guest' })
  await olivia.api.events.removeGuest({ event_id, user_id: sam.id })
  expect(await invite(event_id, sam)).toBe(1)
  expect(await sam.api.events.acceptInvitation({ invitation_id })).toMatchObject({ event_role: 'guest' })
})

test('an invitation is only its person’s, and none is found by guessing', async () => {
  const event_id = await hold()
  await invite(event_id, sam)
  const invitation_id = (await invitationTo(sam, event_id))?.id ?? 0
  await unchanged(app.db, event_id, async () => {
    for (const member of [gwen, olivia, remy])
      for (const id of [invitation_id, 999_999]) {
        expect(await refusal(member.api.events.acceptInvitation({ invitation_id: id }))).toEqual(noSuchInvitation)
        expect(await refusal(member.api.events.declineInvitation({ invitation_id: id }))).toEqual(noSuchInvitation)
      }
  })
  await olivia.api.events.deleteEvent({ event_id })
  expect(await invitationTo(sam, event_id)).toBeUndefined()
  expect(await refusal(sam.api.events.acceptInvitation({ invitation_id }))).toEqual(noSuchInvitation)
})

describe('inviting several', () => {
  test('lets in who had asked, invites the others once, and skips who is in', async () => {
    const event_id = await hold({ event_visibility: 1, event_join_mode: 2 })
    await bringIn(olivia, event_id, gus)
    await asha.api.events.askToJoin({ event_id })
    expect(await invite(event_id, olivia, gus, asha, sam, sam, remy)).toBe(3)
    expect([await role(asha, event_id), await role(sam, event_id)]).toEqual(['guest', undefined])
    const waiting = await olivia.api.events.listJoinRequests({ event_id, page: 1, page_length: 5 })
    expect(waiting.data).toEqual([])
    expect(await unchanged(app.db, event_id, () => invite(event_id, gus, asha, sam, remy))).toBe(0)
  })

  test('with somebody unknown among them invites nobody and says who', async () => {
    const event_id = await hold()
    const asked = { event_id, user_ids: [sam.id, 999_999, gwen.id, 888_888] }
    const answer = await unchanged(app.db, event_id, () => refusal(olivia.api.events.invite(asked)))
    expect(answer).toEqual({
      status: 400,
      body: {
        'user_ids.1': ['The selected user ids.1 is invalid.'],
        'user_ids.3': ['The selected user ids.3 is invalid.'],
      },
    })
  })

  test.each<[string, unknown]>([
    ['user_ids', []],
    ['user_ids', 7],
    ['user_ids', Array(101).fill(1)],
    ['user_ids.0', ['x']],
    ['user_ids.0', [[1]]],
    ['user_ids.1', [1, 2 ** 53]],
  ])('names %s when it is wrong', async (field, user_ids) => {
    const event_id = await hold()
    const answer = await refusal(olivia.api.events.invite({ event_id, user_ids: user_ids as number[] }))
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, [field]])
  })

  test('skips in silence whom the inviter blocks, even if they had asked', async () => {
    const event_id = await hold({ event_visibility: 1, event_join_mode: 2 })
    await asha.api.events.askToJoin({ event_id })
    await olivia.api.people.block({ user_id: asha.id })
    expect(await invite(event_id, asha, gwen)).toBe(1)
    expect(await role(asha, event_id)).toBeUndefined()
    expect(await invitationTo(gwen, event_id)).toBeDefined()
    await olivia.api.people.unblock({ user_id: asha.id })
  })

  test('does not tell who in the event, or waiting for it, blocks the inviter', async () => {
    const event_id = await hold({ event_visibility: 1, event_join_mode: 2 })
    const [inside, asking] = [await enter(app, 'gus'), await enter(app, 'asha')]
    await bringIn(olivia, event_id, inside)
    await asking.api.events.askToJoin({ event_id })
    for (const member of [inside, asking]) await member.api.people.block({ user_id: olivia.id })
    expect(await invite(event_id, inside, asking)).toBe(1)
    expect(await role(asking, event_id)).toBe('guest')
  })

  test('with a key happens once, and the repeat is only for organizers', async () => {
    const event_id = await hold()
    await invite(event_id, gus)
    await gus.api.events.askToJoin({ event_id })
    await olivia.api.events.makeOrganizer({ event_id, user_id: gus.id })
    const once = () => gus.api.events.invite({ event_id, user_ids: [sam.id] }, { idempotencyKey: `i ${event_id}` })
    expect(await Promise.all([once(), once()])).toEqual([{ invited_count: 1 }, { invited_count: 1 }])
    await olivia.api.events.unmakeOrganizer({ event_id, user_id: gus.id })
    expect(await refusal(once())).toEqual(says('The user is not an organizer of the event'))
  })
})

describe('strangers', async () => {
  const small = await openTestApp({ rateFactor: 1, signInsPerAddressPerMinute: 100_000 })
  const host = await enter(small, 'olivia')
  const { id: event_id } = await host.api.events.saveEvent(evening())
  const crowd = (count: number) => Promise.all(Array.from({ length: count }, () => enter(small, 'sam')))
  const inviting = (people: readonly Member[], to = event_id) =>
    host.api.events.invite({ event_id: to, user_ids: people.map(({ id }) => id) })
  const tooMany = says(
    'Too many of these people are neither friends nor known from an event, so nobody was invited. Share a link instead, or go on tomorrow.',
  )
  const [comes, declines, late, ...others] = (await crowd(strangersInvitedPerDay + 1)) as [Member, Member, Member]
  const invited: Member[] = [comes, declines, ...others]

  test('are invited only few a day, over all events, and the refusal invites nobody', async () => {
    expect(await refusal(inviting([...invited, late]))).toEqual(tooMany)
    for (const member of [...invited, late]) expect(await invitationsOf(member)).toEqual([])
    expect(await inviting(invited)).toEqual({ invited_count: strangersInvitedPerDay })
    const { id: another } = await host.api.events.saveEvent(evening())
    for (const to of [event_id, another]) expect(await refusal(inviting([late], to))).toEqual(tooMany)
    // Somebody who is already invited is not invited a second time.
    expect(await inviting(invited)).toEqual({ invited_count: 0 })
  })

  test('are none any more once they came; who declined and is invited again is one more', async () => {
    const [toDecline, toAccept] = [(await invitationsOf(declines))[0], (await invitationsOf(comes))[0]]
    await declines.api.events.declineInvitation({ invitation_id: toDecline?.id ?? 0 })
    expect(await refusal(inviting([declines]))).toEqual(tooMany)
    await comes.api.events.acceptInvitation({ invitation_id: toAccept?.id ?? 0 })
    expect(await inviting([declines])).toEqual({ invited_count: 1 })
    expect(await refusal(inviting([late]))).toEqual(tooMany)
  })

  test('may be sixty at once when they are friends, asked for it or were met before', async () => {
    const friends = await crowd(30)
    const met = await crowd(30)
    const { id: earlier } = await host.api.events.saveEvent(evening({ event_join_mode: 1 }))
    for (const friend of friends) {
      await friend.api.people.befriend({ user_id: host.id })
      if (friend !== friends[0]) await host.api.people.befriend({ user_id: friend.id })
    }
    for (const member of met) {
      await member.api.events.askToJoin({ event_id: earlier })
      await member.api.events.leaveEvent({ event_id: earlier })
    }
    expect(await inviting([...friends, ...met])).toEqual({ invited_count: 60 })
  })

  test('share one budget among requests at once', async () => {
    const hasty = await enter(small, 'gwen')
    const people = await crowd(strangersInvitedPerDay * 2)
    const events = await Promise.all(people.map(() => hasty.api.events.saveEvent(evening())))
    const results = await Promise.allSettled(
      people.map(({ id }, at) => hasty.api.events.invite({ event_id: events[at]?.id ?? 0, user_ids: [id] })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(strangersInvitedPerDay)
  })
})

test('invitations come newest first, page by page, at the cost of one page however many there are', async () => {
  const late = await enter(app, 'asha')
  const made: number[] = []
  for (let n = 0; n < 5; n++) {
    const event_id = await hold()
    await invite(event_id, late)
    made.unshift(event_id)
  }
  const page = (page: number, page_length: number) => late.api.events.listInvitations({ page, page_length })
  const pages = [await page(1, 2), await page(2, 2), await page(3, 2)]
  expect(pages.flatMap(({ data }) => data.map(({ event }) => event.id))).toEqual(made)
  expect(pages.map(({ next_page_url }) => next_page_url !== null)).toEqual([true, true, false])
  expect(await statementsOf(() => page(1, 1))).toBe(await statementsOf(() => page(1, 50)))
})
