import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { bringIn, evening } from '../../test/party.ts'
import { searching } from '../../test/search-people.ts'
import { statementsOf } from '../../test/statements.ts'
import { strangersMax } from './search-store.ts'

const app = await openTestApp()
const viewer = await enter(app, 'sam')
const { searchAs, find, add, befriend, set } = searching(app, viewer)

describe('nobody finds', () => {
  test('themselves', async () => {
    const olivia = await enter(app, 'olivia')
    await set(olivia.id, { first_name: 'Sqelf' })
    expect([await find('sqelf', olivia), await find('sqelf')]).toEqual([[], [olivia.id]])
  })

  test('somebody suspended, not even as a friend or at the same event, until that is over', async () => {
    const olivia = await enter(app, 'olivia')
    const friend = await add('Squsp', 'Fqriend')
    const guest = await enter(app, 'gus')
    await set(guest.id, { first_name: 'Squsp' })
    await befriend(olivia.id, friend)
    await bringIn(olivia, (await olivia.api.events.saveEvent(evening())).id, guest)
    expect(await find('squsp', olivia)).toEqual([friend, guest.id])
    for (const id of [friend, guest.id]) await set(id, { status: 3 })
    expect(await find('squsp', olivia)).toEqual([])
    for (const id of [friend, guest.id]) await set(id, { status: 1 })
    expect(await find('squsp', olivia)).toEqual([friend, guest.id])
  })

  test('the one they blocked, nor that one them, at the same event neither', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    for (const { id } of [olivia, gus]) await set(id, { first_name: 'Bqlock' })
    await bringIn(olivia, (await olivia.api.events.saveEvent(evening())).id, gus)
    expect([await find('bqlock', olivia), await find('bqlock', gus)]).toEqual([[gus.id], [olivia.id]])
    await olivia.api.people.block({ user_id: gus.id })
    expect([await find('bqlock', olivia), await find('bqlock', gus)]).toEqual([[], []])
    await olivia.api.people.unblock({ user_id: gus.id })
    expect([await find('bqlock', olivia), await find('bqlock', gus)]).toEqual([[gus.id], [olivia.id]])
  })

  test('an invisible stranger, by no word and no likeness', async () => {
    await add('Iqnvisible', 'Hqidden', { visible: false, username: 'iqnvisible1' })
    for (const query of ['iqnvisible', 'iqnv hqid', 'iqnvisible1', 'iqnvisibel']) expect(await find(query)).toEqual([])
  })
})

describe('an invisible person is found', () => {
  test('by friends', async () => {
    const olivia = await enter(app, 'olivia')
    const id = await add('Iqvo', 'Fqrost', { visible: false })
    await befriend(olivia.id, id)
    expect([await find('iqvo', olivia), await find('iqvo fqrost', olivia), await find('iqvo')]).toEqual([
      [id],
      [id],
      [],
    ])
  })

  test('by who is in an event with them, as long as both are', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    await set(gus.id, { first_name: 'Iqda', visible: false })
    const event = await olivia.api.events.saveEvent(evening())
    await gus.api.events.askToJoin({ event_id: event.id })
    expect(await find('iqda', olivia)).toEqual([])
    await olivia.api.events.approveJoinRequest({ event_id: event.id, user_id: gus.id })
    expect(await find('iqda', olivia)).toEqual([gus.id])
    await gus.api.events.leaveEvent({ event_id: event.id })
    expect(await find('iqda', olivia)).toEqual([])
    await bringIn(olivia, event.id, gus)
    expect(await find('iqda', olivia)).toEqual([gus.id])
    await olivia.api.events.deleteEvent({ event_id: event.id })
    expect(await find('iqda', olivia)).toEqual([])
  })

  test('by everybody again once they are visible', async () => {
    const id = await add('Iqsa', 'Bqack', { visible: false })
    await set(id, { visible: true })
    expect(await find('iqsa')).toEqual([id])
    await set(id, { visible: false })
    expect(await find('iqsa')).toEqual([])
  })
})

describe('the order', () => {
  test('is friends, then people of shared events, then strangers; in each the exact username, spelling, likeness, id', async () => {
    const olivia = await enter(app, 'olivia')
    const event = await olivia.api.events.saveEvent(evening())
    const three = async (circle: string) => ({
      alike: await add(`Oqrdek${circle}`, 'Zq'),
      second: await add('Oqrdera', circle),
      twin: await add('Oqrder', `B${circle}`),
      first: await add('Oqrder', `A${circle}`),
    })
    const strangers = await three('s')
    const guests = await three('g')
    const friends = await three('f')
    const exact = await add('Zqz', 'Zqz', { username: 'oqrder' })
    for (const id of Object.values(friends)) await befriend(olivia.id, id)
    for (const user_id of Object.values(guests))
      await app.db.insertInto('guests').values({ event_id: event.id, user_id }).execute()
    const order = ({ first, twin, second, alike }: typeof friends) => [first, twin, second, alike]
    const found = await searchAs(olivia, 'oqrder')
    expect(found.map(({ id }) => id)).toEqual([...order(friends), ...order(guests), exact, ...order(strangers)])
    expect(found.map(({ friend }) => friend)).toEqual(found.map((_, place) => place < 4))
    await befriend(olivia.id, exact)
    expect((await find('oqrder', olivia))[0]).toBe(exact)
  })

  test('shows who is both friend and guest once', async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    await set(gus.id, { first_name: 'Oqnce', last_name: 'Oqncemore', middle_name: 'Oqncetoo' })
    await befriend(olivia.id, gus.id)
    for (let event = 0; event < 2; event++)
      await bringIn(olivia, (await olivia.api.events.saveEvent(evening())).id, gus)
    expect([await find('oqnce', olivia), await find('oqnce')]).toEqual([[gus.id], [gus.id]])
  })
})

describe('pages', () => {
  test('pages of a broad search end after the first strangers, without repeat or gap; acquaintances come first all the same', async () => {
    const olivia = await enter(app, 'olivia')
    await sql`insert into users (first_name, last_name, username, email, timezone)
      select 'Bqroad', 'No' || n, 'bqr' || n, 'broad.' || n || '@example.com', 'UTC'
      from generate_series(1, ${strangersMax + 60}::int) n`.execute(app.db)
    const friend = await add('Bqroad', 'Zzz', { visible: false })
    await befriend(olivia.id, friend)
    const pages = []
    for (let page = 1; page <= 6; page++)
      pages.push(await olivia.api.people.searchUsers({ name: 'bqroad', page, page_length: 50 }))
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id))
    expect(ids[0]).toBe(friend)
    expect(ids).toHaveLength(strangersMax + 1)
    expect(new Set(ids).size).toBe(ids.length)
    expect(pages.map(({ next_page_url }) => next_page_url === null)).toEqual([false, false, false, false, true, true])
    const whole = await Promise.all([1, 2, 3].map(page => searchAs(olivia, 'bqroad', page, 100)))
    expect(whole.flat().map(({ id }) => id)).toEqual(ids)
  })

  test('cost the same number of statements however many people stand on them', async () => {
    const statements = (page_length: number) =>
      statementsOf(() => viewer.api.people.searchUsers({ name: 'bqroad', page: 1, page_length }))
    expect(await statements(100)).toBe(await statements(1))
  })

  test('are the same at both addresses', async () => {
    const at = async (path: string) => {
      const headers = { authorization: `Bearer ${viewer.token}` }
      const reply = await fetch(`${app.url}/api/user/${path}?name=bqroad&page=2&page_length=3`, { headers })
      return ((await reply.json()) as { data: unknown }).data
    }
    expect(await at('search')).toEqual(await at('mention/search'))
  })
})
