import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import type { Member } from '../../test/cast.ts'
import { wrongEvents } from '../../test/event-state.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { transact } from '../platform/database/database.ts'
import { openRateLimits } from '../platform/http/limits.ts'
import { actingFor } from '../platform/http/viewer.ts'
import { lockStanding } from './access.ts'
import { askToJoin } from './members/join.ts'
import { removeGuest } from './members/membership.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam, remy, gwen } = await party(app)
const rounds = 12

const hold = async (event_join_mode: 1 | 2 | 3 = 2) =>
  (await olivia.api.events.saveEvent(evening({ event_join_mode }))).id
const read = (member: Member, event_id: number) => member.api.events.readEvent({ event_id })
const atOnce = async (...calls: (() => Promise<unknown>)[]) => {
  const settled = await Promise.allSettled(calls.map(call => call()))
  for (const result of settled) if (result.status === 'rejected') expect(result.reason.status).toBe(400)
  return settled.map(({ status }) => status === 'fulfilled')
}
const viewer = (member: Member) => actingFor(member.id)

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

test('approving and withdrawing a request exclude each other, and the guest list says which happened', async () => {
  for (let round = 0; round < rounds; round++) {
    const event_id = await hold()
    await gus.api.events.askToJoin({ event_id })
    const [approved, withdrawn] = await atOnce(
      () => olivia.api.events.approveJoinRequest({ event_id, user_id: gus.id }),
      () => gus.api.events.withdrawJoinRequest({ event_id }),
    )
    expect(approved).toBe(!withdrawn)
    expect((await read(gus, event_id)).event_role).toBe(approved ? 'guest' : 'none')
  }
})

test('of an approval and a rejection at once one happens, and of two approvals both', async () => {
  for (let round = 0; round < rounds; round++) {
    const event_id = await hold()
    await gus.api.events.askToJoin({ event_id })
    const user = { event_id, user_id: gus.id }
    const answers = await atOnce(
      () => olivia.api.events.approveJoinRequest(user),
      () => olivia.api.events[round % 2 ? 'approveJoinRequest' : 'rejectJoinRequest'](user),
    )
    expect(answers.filter(Boolean)).toHaveLength(round % 2 ? 2 : 1)
    expect(round % 2 ? [2] : [1, 2]).toContain((await read(olivia, event_id)).event_guests_count)
  }
})

test('a guest who asks to join an open event while being taken out stays out', async () => {
  for (let round = 0; round < rounds; round++) {
    const event_id = await hold(1)
    await gus.api.events.askToJoin({ event_id })
    const [removed] = await atOnce(
      () => olivia.api.events.removeGuest({ event_id, user_id: gus.id }),
      () => gus.api.events.askToJoin({ event_id }),
    )
    expect(removed).toBe(true)
    expect(await read(gus, event_id)).toMatchObject({
      event_role: expect.stringMatching(/^(none|asked)$/),
      event_guests_count: 1,
    })
  }
})

test('many who join at once, each of them twice, are counted once', async () => {
  const event_id = await hold(1)
  const people = [gus, asha, sam, remy, gwen]
  await atOnce(...[...people, ...people].map(member => () => member.api.events.askToJoin({ event_id })))
  expect(await read(olivia, event_id)).toMatchObject({ event_guests_count: 6 })
  await atOnce(...[...people, ...people].map(member => () => member.api.events.leaveEvent({ event_id })))
  expect(await read(olivia, event_id)).toMatchObject({ event_guests_count: 1 })
})

test('when the last two organizers go at once, one stays', async () => {
  for (let round = 0; round < rounds; round++) {
    const event_id = await hold()
    await bringIn(olivia, event_id, gus)
    await olivia.api.events.makeOrganizer({ event_id, user_id: gus.id })
    const went = await atOnce(
      () => olivia.api.events.leaveEvent({ event_id }),
      () =>
        round % 2
          ? gus.api.events.leaveEvent({ event_id })
          : gus.api.events.unmakeOrganizer({ event_id, user_id: gus.id }),
    )
    expect(went.filter(Boolean)).toHaveLength(1)
  }
})

test('when two organizers make each other guests at once, one remains', async () => {
  for (let round = 0; round < rounds; round++) {
    const event_id = await hold()
    await bringIn(olivia, event_id, gus)
    await olivia.api.events.makeOrganizer({ event_id, user_id: gus.id })
    const made = await atOnce(
      () => olivia.api.events.unmakeOrganizer({ event_id, user_id: gus.id }),
      () => gus.api.events.unmakeOrganizer({ event_id, user_id: olivia.id }),
    )
    expect(made.filter(Boolean)).toHaveLength(1)
  }
})

test('nobody gets in by a request that was approved while the event was called off', async () => {
  for (let round = 0; round < rounds; round++) {
    const event_id = await hold()
    await gus.api.events.askToJoin({ event_id })
    const [cancelled, approved] = await atOnce(
      () => olivia.api.events.cancelEvent({ event_id }),
      () => olivia.api.events.approveJoinRequest({ event_id, user_id: gus.id }),
    )
    expect(cancelled).toBe(true)
    expect((await read(gus, event_id)).event_role).toBe(approved ? 'guest' : 'asked')
  }
})

test('a guest who comes in during a long wait stands last, whenever they set out', async () => {
  const event_id = await hold(1)
  const early = await app.db.transaction().execute(async tx => {
    await tx.selectFrom('guests').select('user_id').limit(1).execute()
    await gus.api.events.askToJoin({ event_id })
    await askToJoin(tx, openRateLimits(1), viewer(sam), event_id)
    return { joining: asha.api.events.askToJoin({ event_id }) }
  })
  await early.joining
  const { data } = await olivia.api.events.listGuests({ event_id, page: 1, page_length: 10 })
  expect(data.map(({ user }) => user.id)).toEqual([olivia.id, gus.id, sam.id, asha.id])
})

test('a removal waits for what a member is in the middle of, and is obeyed by what comes after', async () => {
  const event_id = await hold()
  await bringIn(olivia, event_id, gus)
  const removal = await app.db.transaction().execute(async tx => {
    expect(await lockStanding(tx, viewer(gus), event_id)).toBe('guest')
    const removing = olivia.api.events.removeGuest({ event_id, user_id: gus.id })
    expect(await Promise.race([removing, wait(150, 'waits')])).toBe('waits')
    return { removing }
  })
  expect(await removal.removing).toEqual({ done: true })
  expect(await transact(app.db, tx => lockStanding(tx, viewer(gus), event_id))).toBe('removed')
})

test('an act that began before a removal was committed, and locks after, finds its author out', async () => {
  const event_id = await hold()
  await bringIn(olivia, event_id, gus)
  const late = await app.db.transaction().execute(async tx => {
    await removeGuest(tx, viewer(olivia), event_id, gus.id)
    const acting = transact(app.db, other => lockStanding(other, viewer(gus), event_id))
    expect(await Promise.race([acting, wait(150, 'waits')])).toBe('waits')
    return { acting }
  })
  expect(await late.acting).toBe('removed')
})

test('a locked standing says what each of the cast is, and nothing of a deleted event', async () => {
  const { olivia, gus, asha, sam, remy, event } = await party(app)
  const standings = () =>
    Promise.all(
      [olivia, gus, asha, sam, remy].map(member => transact(app.db, tx => lockStanding(tx, viewer(member), event.id))),
    )
  expect(await standings()).toEqual(['owner', 'guest', 'asked', 'none', 'removed'])
  await olivia.api.events.deleteEvent({ event_id: event.id })
  expect(await standings()).toEqual(Array(5).fill('none'))
})
