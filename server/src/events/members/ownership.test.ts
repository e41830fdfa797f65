import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { enter, type Member } from '../../../test/cast.ts'
import { answered } from '../../../test/command.ts'
import { unchanged, wrongEvents } from '../../../test/event-state.ts'
import { openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'
import { notFound, refusal, says } from '../../../test/refused.ts'

const { app, unread } = await openNotifiedApp()
const [olivia, gus, asha, sam] = (await Promise.all(
  (['olivia', 'gus', 'asha', 'sam'] as const).map(name => enter(app, name)),
)) as [Member, Member, Member, Member]
const command = (...args: string[]) => answered({ DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir }, args)

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

/** An event of Olivia's: the first of these people organize it with her, the others are guests. */
const hold = async (organizers: readonly Member[], guests: readonly Member[] = [], owner = olivia) => {
  const { id } = await owner.api.events.saveEvent(evening())
  for (const member of [...organizers, ...guests]) await bringIn(owner, id, member)
  for (const { id: user_id } of organizers) await owner.api.events.makeOrganizer({ event_id: id, user_id })
  return id
}
const owners = async (event_id: number, seenBy = gus) =>
  (await seenBy.api.events.listGuests({ event_id, page: 1, page_length: 100 })).data
    .filter(({ event_owner }) => event_owner)
    .map(({ user, event_role }) => [user.id, event_role])
const own = async (member: Member, event_id: number) => {
  const { owner_id, offered_to, may } = (await member.extra.events.readEvent({ event_id })).extra ?? {}
  return { owner_id, offered_to, own: may?.own, leave: may?.leave }
}
const acts = async (member: Member, event_id: number) =>
  (await member.api.events.listAudit({ event_id, page: 1, page_length: 100 })).data.map(
    ({ audit_act, user, about }) => [audit_act, user.id, about?.id],
  )
const lateProof = (member: Member) =>
  sql`update devices set created_at = created_at - interval '11 minutes', proven_at = proven_at - interval '11 minutes'
    where user_id = ${member.id}`.execute(app.db)
const notOwner = says('The user is not the owner of the event')
const ownerStays = says('The owner of an event hands it over first')

test('the creator owns an event, and no other organizer demotes or removes them', async () => {
  const event_id = await hold([gus], [asha])
  expect(await owners(event_id)).toEqual([[olivia.id, 'organizer']])
  expect(await own(olivia, event_id)).toEqual({ owner_id: olivia.id, offered_to: null, own: true, leave: false })
  expect(await own(gus, event_id)).toEqual({ owner_id: olivia.id, offered_to: null, own: false, leave: true })
  expect(await own(sam, event_id)).toMatchObject({ owner_id: null, own: false })
  const user = { event_id, user_id: olivia.id }
  await unchanged(app.db, event_id, async () => {
    expect(await refusal(gus.api.events.unmakeOrganizer(user))).toEqual(ownerStays)
    expect(await refusal(gus.api.events.removeGuest(user))).toEqual(says('An organizer cannot be removed'))
    expect(await refusal(olivia.api.events.unmakeOrganizer(user))).toEqual(ownerStays)
    expect(await refusal(olivia.api.events.leaveEvent({ event_id }))).toEqual(ownerStays)
    expect(await gus.api.events.makeOrganizer(user)).toMatchObject({ event_owner: true })
  })
})

test('an event is handed over once the other accepts, and both are told', async () => {
  const event_id = await hold([], [gus, asha])
  const to = (member: Member) => ({ event_id, user_id: member.id })
  expect(await olivia.api.events.handOver(to(gus))).toMatchObject({ user: { id: gus.id }, event_owner: false })
  await unchanged(app.db, event_id, () => olivia.api.events.handOver(to(gus)))
  expect((await unread(gus))[0]).toEqual([
    'owner_offered',
    'Midsummer at the lake',
    'Olivia Ortega wants to hand you this event.',
    `/events/${event_id}`,
    1,
  ])
  expect(await own(olivia, event_id)).toMatchObject({ offered_to: gus.id, own: true })
  expect(await own(gus, event_id)).toMatchObject({ offered_to: gus.id, own: false })
  expect(await own(asha, event_id)).toMatchObject({ offered_to: null })
  expect(await gus.api.events.handOver(to(gus))).toMatchObject({ event_owner: true, event_role: 'organizer' })
  await unchanged(app.db, event_id, () => gus.api.events.handOver(to(gus)))
  expect(await owners(event_id)).toEqual([[gus.id, 'organizer']])
  expect(await own(olivia, event_id)).toEqual({ owner_id: gus.id, offered_to: null, own: false, leave: true })
  expect((await unread(gus))[0]?.slice(0, 3)).toEqual([
    'owner_made',
    'Midsummer at the lake',
    'You’re now the host of this event.',
  ])
  expect((await unread(olivia))[0]?.slice(0, 3)).toEqual([
    'owner_changed',
    'Midsummer at the lake',
    'Gus Grant is now the host.',
  ])
  expect((await acts(gus, event_id)).slice(0, 2)).toEqual([
    ['owner.changed', gus.id, gus.id],
    ['owner.offered', olivia.id, gus.id],
  ])
  // The new owner can do everything that the former could.
  await gus.api.events.unmakeOrganizer(to(olivia))
  await gus.api.events.removeGuest(to(olivia))
})

test('nobody takes what was not offered, and nobody offers what is not theirs', async () => {
  const event_id = await hold([gus], [asha])
  const to = (member: Member) => ({ event_id, user_id: member.id })
  const notOffered = says('The event has not been offered to the user')
  const outside = says('The user is neither a guest nor an organizer of the event')
  await unchanged(app.db, event_id, async () => {
    expect(await refusal(gus.api.events.handOver(to(asha)))).toEqual(notOwner)
    expect(await refusal(asha.api.events.handOver(to(gus)))).toEqual(says('The user is not an organizer of the event'))
    expect(await refusal(asha.api.events.handOver(to(asha)))).toEqual(notOffered)
    expect(await refusal(sam.api.events.handOver(to(sam)))).toEqual(outside)
    expect(await refusal(olivia.api.events.handOver(to(sam)))).toEqual(notFound('User not found!'))
    expect(await refusal(gus.api.events.endOffer(to(asha)))).toEqual(notOwner)
    const nowhere = { event_id: 999_999, user_id: gus.id }
    expect(await refusal(gus.api.events.handOver(nowhere))).toEqual(notFound('Event not found!'))
    expect(await refusal(gus.api.events.endOffer(nowhere))).toEqual(notFound('Event not found!'))
  })
  await olivia.api.events.handOver(to(gus))
  await olivia.api.events.handOver(to(asha))
  // The newer offer is the only one.
  expect(await refusal(gus.api.events.handOver(to(gus)))).toEqual(notOffered)
  await asha.api.events.endOffer(to(asha))
  expect(await refusal(asha.api.events.handOver(to(asha)))).toEqual(notOffered)
  await olivia.api.events.handOver(to(asha))
  await olivia.api.events.endOffer(to(asha))
  await unchanged(app.db, event_id, () => olivia.api.events.endOffer(to(asha)))
  expect(await refusal(asha.api.events.handOver(to(asha)))).toEqual(notOffered)
  expect((await unread(asha)).filter(([kind]) => kind === 'owner_offered')).toEqual([])
})

test('handing over asks who holds the phone', async () => {
  const owner = await enter(app, 'gwen')
  const event_id = await hold([], [gus], owner)
  await lateProof(owner)
  const offer = () => owner.api.events.handOver({ event_id, user_id: gus.id })
  await unchanged(app.db, event_id, async () =>
    expect(await refusal(offer())).toEqual(
      says('Please confirm that it is you: by your password, or by signing in again.'),
    ),
  )
  await owner.api.accounts.proveAccount({ user_password: owner.password })
  await offer()
})

test('an offer ends when the person leaves, and one of two at once counts', async () => {
  for (let round = 0; round < 8; round++) {
    const event_id = await hold([], [gus, asha])
    const to = (member: Member) => ({ event_id, user_id: member.id })
    const offered = olivia.api.events.handOver(to(gus))
    if (round % 2) await offered
    const settled = await Promise.allSettled([
      offered,
      gus.api.events.leaveEvent({ event_id }),
      ...(round % 4 > 1 ? [gus.api.events.handOver(to(gus))] : []),
    ])
    for (const one of settled) if (one.status === 'rejected') expect([400, 404]).toContain(one.reason.status)
    const inside = (await gus.api.events.readEvent({ event_id })).event_role !== 'none'
    const [owner] = await owners(event_id, asha)
    expect(owner).toEqual([inside ? gus.id : olivia.id, 'organizer'])
    if (!inside) expect(await own(olivia, event_id)).toMatchObject({ offered_to: null, own: true })
  }
})

describe('the owner’s account', () => {
  test('the owner’s account that is suspended leaves the event to the organizer of longest standing, who is told', async () => {
    const owner = await enter(app, 'olivia')
    const event_id = await hold([sam, gus], [asha], owner)
    await command('users', 'suspend', owner.username)
    expect(await owners(event_id)).toEqual([[sam.id, 'organizer']])
    expect((await unread(sam))[0]?.[0]).toBe('owner_made')
    expect((await unread(gus))[0]?.slice(0, 3)).toEqual([
      'owner_changed',
      'Midsummer at the lake',
      'Sam Stranger is now the host.',
    ])
    expect((await acts(sam, event_id))[0]).toEqual(['owner.changed', owner.id, sam.id])
    // Back again, they organize what they owned.
    await command('users', 'unsuspend', owner.username)
    expect(await owners(event_id)).toEqual([[sam.id, 'organizer']])
  })

  test('keeps the event when nobody else organizes it, until another organizer comes back', async () => {
    const [owner, second] = [await enter(app, 'olivia'), await enter(app, 'ana')]
    const event_id = await hold([second], [gus], owner)
    await command('users', 'suspend', second.username)
    await command('users', 'suspend', owner.username)
    expect(await owners(event_id)).toEqual([[owner.id, 'organizer']])
    await command('users', 'unsuspend', second.username)
    expect(await owners(event_id)).toEqual([[second.id, 'organizer']])
  })

  test('the owner’s account that is erased leaves it to an organizer, who is told even so', async () => {
    const owner = await enter(app, 'olivia')
    const event_id = await hold([gus], [asha], owner)
    await command('users', 'erase', owner.username, '--yes')
    await expect.poll(() => owners(event_id)).toEqual([[gus.id, 'organizer']])
    await expect.poll(async () => (await unread(gus))[0]?.[0]).toBe('owner_made')
  })
})
