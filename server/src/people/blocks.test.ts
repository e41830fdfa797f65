import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { masked } from '../../test/masked.ts'
import { bringIn, evening } from '../../test/party.ts'
import { invalid, notFound, refusal, says } from '../../test/refused.ts'

const app = await openTestApp()
const page = { page: 1, page_length: 10 }
const unknownPerson = invalid('user_ids.0', 'The selected user ids.0 is invalid.')
const noSuchUser = notFound('User not found!')

const two = async (): Promise<[Member, Member]> => [await enter(app, 'olivia'), await enter(app, 'gus')]
const block = (from: Member, to: { id: number }) => from.api.people.block({ user_id: to.id })
const unblock = (from: Member, to: { id: number }) => from.api.people.unblock({ user_id: to.id })
const read = (viewer: Member, other: { id: number }) => viewer.api.people.readUser({ user_id: other.id })
const befriend = (from: Member, to: Member) => from.api.people.befriend({ user_id: to.id })
const blockedBy = async (member: Member) => (await member.api.people.listBlocked(page)).data.map(({ id }) => id)
const rowsBetween = (one: Member, other: Member) =>
  Promise.all([
    app.db.selectFrom('friendships').selectAll().where('user_id', 'in', [one.id, other.id]).execute(),
    app.db.selectFrom('friend_requests').selectAll().where('asker_id', 'in', [one.id, other.id]).execute(),
  ]).then(([friendships, requests]) => ({ friendships: friendships.length, requests: requests.length }))
const nothing = { friendships: 0, requests: 0 }

describe('a block', () => {
  test('ends a friendship for both', async () => {
    const [olivia, gus] = await two()
    await befriend(olivia, gus)
    await befriend(gus, olivia)
    expect(await block(olivia, gus)).toEqual({ blocked: true })
    expect(await rowsBetween(olivia, gus)).toEqual(nothing)
  })

  test('ends a request in either direction', async () => {
    const [olivia, gus] = await two()
    await befriend(olivia, gus)
    await block(olivia, gus)
    expect(await rowsBetween(olivia, gus)).toEqual(nothing)
    const [asha, sam] = [await enter(app, 'asha'), await enter(app, 'sam')]
    await befriend(sam, asha)
    await block(asha, sam)
    expect(await rowsBetween(asha, sam)).toEqual(nothing)
  })

  test('hides the blocker from the blocked, who is told what strangers to the service are told', async () => {
    const [olivia, gus] = await two()
    await block(olivia, gus)
    expect(await refusal(read(gus, olivia))).toEqual(noSuchUser)
    expect(await refusal(befriend(gus, olivia))).toEqual(noSuchUser)
    expect(await refusal(block(gus, olivia))).toEqual(noSuchUser)
    expect(await refusal(unblock(gus, olivia))).toEqual(noSuchUser)
    expect(await refusal(gus.api.people.unfriend({ user_id: olivia.id }))).toEqual(noSuchUser)
    expect(await rowsBetween(olivia, gus)).toEqual(nothing)
  })

  test('leaves the blocked one visible to the blocker, who cannot befriend them', async () => {
    const [olivia, gus] = await two()
    await block(olivia, gus)
    expect(await read(olivia, gus)).toMatchObject({ id: gus.id, blocked: true, friend: false, friend_status: 'none' })
    expect(await blockedBy(olivia)).toEqual([gus.id])
    expect(await refusal(befriend(olivia, gus))).toEqual(noSuchUser)
    expect(await rowsBetween(olivia, gus)).toEqual(nothing)
  })

  test('is not noticed by the blocked in a shared event, where each may block and report the other', async () => {
    const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    const another = await gus.api.events.saveEvent(evening({ event_visibility: 3 }))
    for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
    await block(olivia, gus)
    // Gus gets the same answers from Olivia, who blocks him, and from Ana, who does not.
    const alike = async (ask: (other: Member) => Promise<unknown>) => {
      const [ofBlocker, ofAnybody] = [await ask(olivia), await ask(ana)]
      const plain = (answer: unknown, { id, username }: Member) =>
        JSON.stringify(
          masked(
            answer,
            new Map<string | number, string>([
              [id, 'id'],
              [username, 'username'],
            ]),
          ),
        ).replaceAll(/Olivia|Ortega|Ana|Álvarez|initials[^"]*|"\d{4}-[^"]*Z"/g, '')
      expect(plain(ofBlocker, olivia)).toBe(plain(ofAnybody, ana))
    }
    await alike(other => read(gus, other))
    for (let times = 0; times < 2; times++) await alike(other => befriend(gus, other))
    await alike(other => read(gus, other))
    await alike(other => gus.api.people.unfriend({ user_id: other.id }))
    await alike(other => befriend(gus, other))
    for (let times = 0; times < 2; times++)
      await alike(other => gus.api.events.invite({ event_id: another.id, user_ids: [other.id] }))
    const person = { report_type: 'user' as const, report_reason: 'Rude' }
    await alike(({ id }) => gus.api.people.report({ ...person, report_id: id, event_id }))
    await alike(({ id }) => gus.api.people.report({ ...person, report_id: id }))

    // Olivia hears nothing of it.
    expect((await olivia.api.people.listFriendRequests(page)).data).toEqual([])
    expect((await ana.api.people.listFriendRequests(page)).data).toHaveLength(1)
    expect((await olivia.api.events.listInvitations(page)).data).toEqual([])
    expect(await read(olivia, gus)).toMatchObject({ blocked: true, friend_status: 'none' })

    await alike(other => block(gus, other))
    await alike(other => unblock(gus, other))
    await block(gus, olivia)
    for (const [one, other] of [
      [olivia, gus],
      [gus, olivia],
    ] as const)
      expect(await read(one, other)).toMatchObject({ blocked: true })
    expect(await blockedBy(gus)).toEqual([olivia.id])
  })

  test('lets neither invite the other', async () => {
    const [olivia, gus] = await two()
    for (const [host, other] of [
      [olivia, gus],
      [gus, olivia],
    ] as const) {
      const event = await host.api.events.saveEvent(evening())
      if (host === olivia) await block(olivia, gus)
      const inviting = host.api.events.invite({ event_id: event.id, user_ids: [other.id] })
      // The person who blocks is skipped; for the person who is blocked, the other does not exist.
      if (host === olivia) expect(await inviting).toEqual({ invited_count: 0 })
      else expect(await refusal(inviting)).toEqual(unknownPerson)
      expect((await other.api.events.listInvitations(page)).data).toEqual([])
    }
  })

  test('is put and taken back any number of times', async () => {
    const [olivia, gus] = await two()
    for (let time = 0; time < 2; time++) expect(await block(olivia, gus)).toEqual({ blocked: true })
    expect(await blockedBy(olivia)).toEqual([gus.id])
    for (let time = 0; time < 2; time++) expect(await unblock(olivia, gus)).toEqual({ blocked: false })
    expect(await blockedBy(olivia)).toEqual([])
    expect((await read(gus, olivia)).blocked).toBe(false)
    expect(await befriend(gus, olivia)).toEqual({ friend_status: 'asked' })
  })

  test('a block of oneself, of nobody, of the suspended and of the invisible is refused, and nothing is written', async () => {
    const [olivia, gus] = await two()
    const sam = await enter(app, 'sam')
    await app.db.updateTable('users').set({ status: 3 }).where('id', '=', gus.id).execute()
    await app.db.updateTable('users').set({ visible: false }).where('id', '=', sam.id).execute()
    expect(await refusal(block(olivia, olivia))).toEqual(says('This cannot be done to oneself'))
    for (const target of [{ id: 999_999_999 }, gus, sam]) {
      expect(await refusal(block(olivia, target))).toEqual(noSuchUser)
      expect(await refusal(unblock(olivia, target))).toEqual(noSuchUser)
    }
    expect(await blockedBy(olivia)).toEqual([])
  })

  test('stays listed and can be taken back when the other turned invisible, got suspended or blocks too', async () => {
    const [olivia, gus] = await two()
    const [asha, sam] = [await enter(app, 'asha'), await enter(app, 'sam')]
    for (const other of [gus, asha, sam]) await block(olivia, other)
    await app.db.updateTable('users').set({ visible: false }).where('id', '=', gus.id).execute()
    await app.db.updateTable('users').set({ status: 3 }).where('id', '=', asha.id).execute()
    await app.db.insertInto('blocks').values({ blocker_id: sam.id, blocked_id: olivia.id }).execute()
    expect(await blockedBy(olivia)).toEqual([sam.id, asha.id, gus.id])
    expect((await read(olivia, gus)).blocked).toBe(true)
    expect(await refusal(read(olivia, sam))).toEqual(noSuchUser)
    for (const other of [gus, asha, sam]) expect(await unblock(olivia, other)).toEqual({ blocked: false })
    expect(await blockedBy(olivia)).toEqual([])
  })

  test('and a friendship asked for at the same moment never both stand', async () => {
    for (let round = 0; round < 6; round++) {
      const [olivia, gus] = await two()
      if (round % 2) await befriend(olivia, gus)
      await Promise.allSettled([befriend(gus, olivia), block(olivia, gus), befriend(olivia, gus)])
      expect(await blockedBy(olivia)).toEqual([gus.id])
      expect(await rowsBetween(olivia, gus)).toEqual(nothing)
    }
  })

  test('list shows the newest first, page by page', async () => {
    const [olivia, gus] = await two()
    const [asha, sam] = [await enter(app, 'asha'), await enter(app, 'sam')]
    for (const other of [gus, asha, sam]) await block(olivia, other)
    const pages = await Promise.all(
      [1, 2, 3].map(number => olivia.api.people.listBlocked({ page: number, page_length: 1 })),
    )
    expect(pages.map(each => each.data[0]?.id)).toEqual([sam.id, asha.id, gus.id])
    expect(pages[2]?.next_page_url).toBeNull()
  })
})

test('blocking ends open invitations between the two, and no new one is made', async () => {
  const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
  const { id: event_id } = await olivia.api.events.saveEvent(evening({ event_visibility: 3 }))
  await olivia.api.events.invite({ event_id, user_ids: [gus.id] })
  const [open] = (await gus.api.events.listInvitations({ page: 1, page_length: 5 })).data
  await gus.api.people.block({ user_id: olivia.id })
  expect((await gus.api.events.listInvitations({ page: 1, page_length: 5 })).data).toEqual([])
  expect((await refusal(gus.api.events.acceptInvitation({ invitation_id: open?.id ?? 0 }))).status).toBe(404)
  expect(await refusal(olivia.api.events.invite({ event_id, user_ids: [gus.id] }))).toEqual(unknownPerson)
})

test('an invitation and a block at once leave no open invitation', async () => {
  const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
  for (let round = 0; round < 8; round++) {
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    await Promise.allSettled([
      olivia.api.events.invite({ event_id, user_ids: [gus.id] }),
      gus.api.people.block({ user_id: olivia.id }),
    ])
    expect((await gus.api.events.listInvitations({ page: 1, page_length: 5 })).data).toEqual([])
    await gus.api.people.unblock({ user_id: olivia.id })
  }
})
