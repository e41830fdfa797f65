import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { notFound, refusal, says } from '../../test/refused.ts'
import { statementsOf } from '../../test/statements.ts'

const app = await openTestApp()
const page = { page: 1, page_length: 10 }
const noSuchUser = notFound('User not found!')
const oneself = says('This cannot be done to oneself')

const two = async (): Promise<[Member, Member]> => [await enter(app, 'olivia'), await enter(app, 'gus')]
const befriend = (from: Member, to: { id: number }) => from.api.people.befriend({ user_id: to.id })
const unfriend = (from: Member, to: { id: number }) => from.api.people.unfriend({ user_id: to.id })
const statusOf = async (viewer: Member, other: Member) =>
  (await viewer.api.people.readUser({ user_id: other.id })).friend_status
const friendsOf = async (member: Member) => (await member.api.people.listFriends(page)).data.map(({ id }) => id)
const requestsTo = async (member: Member) => (await member.api.people.listFriendRequests(page)).data.map(({ id }) => id)
const set = (member: Member, changes: { visible?: boolean; status?: number }) =>
  app.db.updateTable('users').set(changes).where('id', '=', member.id).execute()
const written = async () =>
  (
    await sql`select (select count(*) from friendships) as friendships, (select count(*) from friend_requests) as requests,
    (select count(*) from blocks) as blocks`.execute(app.db)
  ).rows[0]

describe('a friendship', () => {
  test('is asked for by one side and made by the other', async () => {
    const [olivia, gus] = await two()
    expect(await befriend(olivia, gus)).toEqual({ friend_status: 'asked' })
    expect([await statusOf(olivia, gus), await statusOf(gus, olivia)]).toEqual(['asked', 'asks_you'])
    expect(await requestsTo(gus)).toEqual([olivia.id])
    expect(await requestsTo(olivia)).toEqual([])
    expect(await befriend(gus, olivia)).toEqual({ friend_status: 'friends' })
    expect([await statusOf(olivia, gus), await statusOf(gus, olivia)]).toEqual(['friends', 'friends'])
    expect([await friendsOf(olivia), await friendsOf(gus)]).toEqual([[gus.id], [olivia.id]])
    expect(await requestsTo(gus)).toEqual([])
  })

  test('asked for or made again changes nothing', async () => {
    const [olivia, gus] = await two()
    await befriend(olivia, gus)
    expect(await befriend(olivia, gus)).toEqual({ friend_status: 'asked' })
    expect(await requestsTo(gus)).toEqual([olivia.id])
    await befriend(gus, olivia)
    for (const [from, to] of [
      [olivia, gus],
      [gus, olivia],
    ] as const)
      expect(await befriend(from, to)).toEqual({ friend_status: 'friends' })
    expect([await friendsOf(olivia), await requestsTo(gus)]).toEqual([[gus.id], []])
  })

  test('comes about when both ask at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const [olivia, gus] = await two()
      const answers = await Promise.all([befriend(olivia, gus), befriend(gus, olivia)])
      expect(answers.map(answer => answer.friend_status).sort()).toEqual(['asked', 'friends'])
      expect([await friendsOf(olivia), await friendsOf(gus)]).toEqual([[gus.id], [olivia.id]])
      expect([await requestsTo(olivia), await requestsTo(gus)]).toEqual([[], []])
    }
  })

  test('ends for both, from either side, again and again', async () => {
    const [olivia, gus] = await two()
    await befriend(olivia, gus)
    await befriend(gus, olivia)
    for (const [from, to] of [
      [gus, olivia],
      [gus, olivia],
      [olivia, gus],
    ] as const)
      expect(await unfriend(from, to)).toEqual({ friend_status: 'none' })
    expect([await friendsOf(olivia), await friendsOf(gus)]).toEqual([[], []])
  })

  test('request is taken back or turned down by the same DELETE', async () => {
    const [olivia, gus] = await two()
    await befriend(olivia, gus)
    await unfriend(olivia, gus)
    expect(await requestsTo(gus)).toEqual([])
    await befriend(olivia, gus)
    await unfriend(gus, olivia)
    expect([await requestsTo(gus), await statusOf(olivia, gus)]).toEqual([[], 'none'])
  })

  test('with oneself, with nobody and with somebody suspended is refused, and nothing is written', async () => {
    const [olivia, gus] = await two()
    await set(gus, { status: 3 })
    const before = await written()
    expect(await refusal(befriend(olivia, olivia))).toEqual(oneself)
    expect(await refusal(befriend(olivia, gus))).toEqual(noSuchUser)
    expect(await refusal(befriend(olivia, { id: 999_999_999 }))).toEqual(noSuchUser)
    expect(await refusal(unfriend(olivia, { id: 999_999_999 }))).toEqual(noSuchUser)
    expect(await written()).toEqual(before)
  })
})

describe('an invisible person', () => {
  test('cannot be asked by a stranger, who learns nothing of them', async () => {
    const [olivia, gus] = await two()
    await set(gus, { visible: false })
    expect(await refusal(befriend(olivia, gus))).toEqual(noSuchUser)
    expect(await refusal(unfriend(olivia, gus))).toEqual(noSuchUser)
    expect(await requestsTo(gus)).toEqual([])
  })

  test('a person who asks shows themselves to the one they ask, who may accept', async () => {
    const [olivia, gus] = await two()
    await set(gus, { visible: false })
    await befriend(gus, olivia)
    expect(await statusOf(olivia, gus)).toBe('asks_you')
    expect(await befriend(olivia, gus)).toEqual({ friend_status: 'friends' })
  })

  test('may be left alone again by who asked while they were visible', async () => {
    const [olivia, gus] = await two()
    await befriend(olivia, gus)
    await set(gus, { visible: false })
    expect(await refusal(olivia.api.people.readUser({ user_id: gus.id }))).toEqual(noSuchUser)
    expect(await unfriend(olivia, gus)).toEqual({ friend_status: 'none' })
    expect(await requestsTo(gus)).toEqual([])
  })
})

describe('the lists', () => {
  test('friends stand by name without regard to case and accents, page by page without repeat or gap', async () => {
    const [olivia, gus] = await two()
    const names = ['Zoë', 'alba', 'Álvaro', 'Bo', 'bruno', 'Émile', 'Eva']
    for (const first_name of names) {
      const friend = await enter(app, 'sam')
      await app.db.updateTable('users').set({ first_name }).where('id', '=', friend.id).execute()
      await befriend(olivia, friend)
      await befriend(friend, olivia)
    }
    await befriend(olivia, gus)
    const pages = await Promise.all(
      [1, 2, 3].map(number => olivia.api.people.listFriends({ page: number, page_length: 3 })),
    )
    expect(pages.flatMap(({ data }) => data.map(each => each.user_first_name))).toEqual([
      'alba',
      'Álvaro',
      'Bo',
      'bruno',
      'Émile',
      'Eva',
      'Zoë',
    ])
    expect(pages.map(each => each.next_page_url === null)).toEqual([false, false, true])
    expect(pages[0]?.data[0]).toMatchObject({ friend: true, user_visible: '1' })
    const statements = (page_length: number) =>
      statementsOf(() => olivia.api.people.listFriends({ page: 1, page_length }))
    expect(await statements(7)).toBe(await statements(1))
  })

  test('a friend who changes their name moves to their new place', async () => {
    const [olivia, gus] = await two()
    const asha = await enter(app, 'asha')
    for (const friend of [gus, asha]) {
      await befriend(olivia, friend)
      await befriend(friend, olivia)
    }
    expect(await friendsOf(olivia)).toEqual([asha.id, gus.id])
    await gus.api.accounts.updateAccount({
      user_first_name: 'Aaron',
      user_last_name: 'Grant',
      user_username: gus.username,
      user_email: gus.email,
    })
    expect(await friendsOf(olivia)).toEqual([gus.id, asha.id])
  })

  test('requests stand newest first', async () => {
    const [olivia, gus] = await two()
    const [asha, sam] = [await enter(app, 'asha'), await enter(app, 'sam')]
    for (const asker of [gus, asha, sam]) await befriend(asker, olivia)
    expect(await requestsTo(olivia)).toEqual([sam.id, asha.id, gus.id])
    const second = await olivia.api.people.listFriendRequests({ page: 2, page_length: 2 })
    expect([second.data.map(({ id }) => id), second.next_page_url]).toEqual([[gus.id], null])
  })

  test('nobody suspended is listed, and back they are when that is over', async () => {
    const [olivia, gus] = await two()
    const asha = await enter(app, 'asha')
    await befriend(olivia, gus)
    await befriend(gus, olivia)
    await befriend(asha, olivia)
    for (const member of [gus, asha]) await set(member, { status: 3 })
    expect([await friendsOf(olivia), await requestsTo(olivia)]).toEqual([[], []])
    for (const member of [gus, asha]) await set(member, { status: 1 })
    expect([await friendsOf(olivia), await requestsTo(olivia)]).toEqual([[gus.id], [asha.id]])
  })
})
