import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { bringIn, evening } from '../../test/party.ts'
import { invalid, refusal } from '../../test/refused.ts'
import { statementsOf } from '../../test/statements.ts'
import { strangersMax } from './search.ts'

const app = await openTestApp()
const viewer = await enter(app, 'sam')

let added = 0
type Traits = { middle?: string; username?: string; visible?: boolean; status?: number }
const add = async (first_name: string, last_name: string, { middle, username, ...traits }: Traits = {}) => {
  added += 1
  const { id } = await app.db
    .insertInto('users')
    .values({
      first_name,
      middle_name: middle ?? null,
      last_name,
      username: username ?? `zz${added}`,
      email: `added.${added}@example.com`,
      timezone: 'UTC',
      ...traits,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const searchAs = async (member: Member, name: string, page = 1, page_length = 50) =>
  (await member.api.people.searchUsers({ name, page, page_length })).data
const find = async (name: string, member = viewer) => (await searchAs(member, name)).map(({ id }) => id)
const befriend = (one: number, other: number) =>
  sql`insert into friendships (user_id, friend_id, found_by)
    select a, b, line_of(u) from (values (${one}::bigint, ${other}::bigint), (${other}, ${one})) as pair (a, b)
    join users u on u.id = b`.execute(app.db)
const set = (id: number, changes: Record<string, unknown>) =>
  app.db.updateTable('users').set(changes).where('id', '=', id).execute()

describe('a person is found', () => {
  const cases: [why: string, first: string, last: string, queries: string[], traits?: Traits][] = [
    [
      'by the beginning of either name, whatever the case',
      'Qarina',
      'Ortegov',
      ['qar', 'QARINA', 'orteg', ' Ortegov '],
    ],
    [
      'by words of the name in any order',
      'Oqlivia',
      'Ortqega',
      ['ortq oql', 'oql ortq', 'Oqlivia Ortqega', 'oql, ortq'],
    ],
    ['without accents, and with them', 'Jqosé', 'Mqüller', ['jqose', 'JQOSÉ', 'mqüller', 'MQULLER', 'jqosè mqúl']],
    [
      'when the accents are characters of their own',
      'Rqe\u0301my',
      'Nqun\u0303ez',
      ['rqémy', 'rqemy', 'nquñez', 'nqunez'],
    ],
    ['with letters that have no accent to take away', 'Sqøren', 'Weqiß', ['sqoren', 'weqiss', 'SQØR', 'weqiß']],
    [
      'by a middle name, and with it between',
      'Aqna',
      'Gqil',
      ['mqaria', 'aqna mqaria gqil', 'gqil mqa'],
      { middle: 'Mqaría' },
    ],
    [
      'by each part of a double name',
      'Jqean-Pqaul',
      'de la Cqruz',
      ['pqaul', 'jqean-pqaul', 'cqruz jqean', 'de la cqruz'],
    ],
    ['with or without the apostrophe', 'Nqora', 'O’Bqrien', ['obqrien', "o'bqrien", 'O’BQRIEN']],
    [
      'by the username',
      'Xqa',
      'Xqo',
      ['sqky_walker', 'SQKY', 'sqky_w', '@sqky_wal', 'walker'],
      { username: 'Sqky_Walker.9' },
    ],
    ['in Cyrillic', 'Дмитрий', 'Щукин', ['щук', 'ДМИТРИЙ', 'щук дми']],
    ['in Greek, also at a word’s end', 'Αλέξανδρος', 'Ψαρρός', ['ψαρρος', 'ΨΑΡΡΌΣ', 'αλεξ']],
    ['in Arabic, vowel signs or not', 'مُحَمَّد', 'العلي', ['محمد', 'مُحَم', 'العل محمد']],
    ['in Chinese, the name written as one word', '伟明', '欧阳', ['伟', '欧阳', '欧阳伟明', '欧阳伟', '伟明 欧']],
    ['in Korean', '민준', '강', ['민', '강민준', '강 민준']],
    ['in Hindi, whose vowel signs belong to the word', 'प्रिया', 'शर्मा', ['प्रि', 'शर्मा प्रिया']],
    ['by an emoji', '🦩 Flqo', 'Fqa', ['🦩', 'flqo 🦩']],
    ['in full-width letters', 'Ｋqato', 'Mqori', ['kqato', 'ＫＱＡＴＯ']],
  ]
  test.each(cases)('%s', async (_, first, last, queries, traits) => {
    const id = await add(first, last, traits)
    for (const query of queries) expect([query, await find(query)]).toEqual([query, [id]])
  })

  test.each([
    ['Gqonzález', ['gqonzales', 'gqonsalez', 'gonqzález', 'qonzález']],
    ['Kqowalczyk', ['kqowalczik', 'kqovalczyk', 'owalczyk']],
  ])('by likeness, when %s is misspelt', async (last, queries) => {
    const id = await add('Wqitold', last)
    for (const query of queries) expect([query, await find(query)]).toEqual([query, [id]])
    for (const query of queries) expect(await find(`wqit ${query}`)).toEqual([id])
  })

  test('by likeness of the username’s words', async () => {
    const id = await add('Bqi', 'Bqu', { username: 'sunqflower42' })
    expect(await find('sunqflowr')).toEqual([id])
  })

  test('only when every word is met', async () => {
    await add('Vqera', 'Vqonda')
    for (const query of ['vqera zzqz', 'vqera vqonda zzqz', 'wqxyz', 'vqera wqxyz'])
      expect(await find(query)).toEqual([])
  })

  test('as they are called now, from the moment their profile says so', async () => {
    const gus = await enter(app, 'gus')
    const profile = { user_email: gus.email, user_username: gus.username }
    await gus.api.accounts.updateAccount({ ...profile, user_first_name: 'Tqibor', user_last_name: 'Tqokay' })
    expect(await find('tqib tqok')).toEqual([gus.id])
    await gus.api.accounts.updateAccount({ ...profile, user_first_name: 'Uqmar', user_last_name: 'Tqokay' })
    expect(await find('tqib')).toEqual([])
    expect(await find('uqm tqok')).toEqual([gus.id])
  })

  test('and no word of a former name stays in the database', async () => {
    const id = await add('Planqted', 'Sqecret', { username: 'planqted' })
    const traces = () =>
      sql`select 1 from known_words where word like '%planqt%' union all select 1 from user_words where lead like '%planqt%'
        union all select 1 from guest_lines where found_by like '%planqt%'`.execute(app.db)
    expect((await traces()).rows.length).toBeGreaterThan(0)
    await set(id, { first_name: 'Gone', username: 'gone_by' })
    expect((await traces()).rows).toEqual([])
  })

  test('also when one bearer of a word leaves it while another takes it on', async () => {
    for (let round = 0; round < 8; round++) {
      const leaving = await add(`Rqound${'abcdefgh'[round]}`, 'Lqeaver')
      const word = `rqound${'abcdefgh'[round]}`
      await Promise.all([set(leaving, { first_name: 'Other' }), add(word, 'Tqaker')])
      const { rows } = await sql`select word from known_words where word = ${word}`.execute(app.db)
      expect(rows).toEqual([{ word }])
    }
  })
})

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
  test('of a broad search end after the first strangers, without repeat or gap; who is known comes first all the same', async () => {
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

describe('a hostile text', () => {
  test('finds no pattern: % and _ and \\ mean nothing', async () => {
    for (const query of [
      '%',
      '_',
      '\\',
      '%%',
      'bq%d',
      'bqr_ad',
      'bqroad\\',
      "'; drop table users; --",
      '*',
      '.*',
      '(',
      '[',
      '!',
      '~',
    ])
      expect([query, (await find(query)).length]).toEqual([query, query === 'bqroad\\' ? 50 : 0])
  })

  test('is answered, whatever it is', async () => {
    const texts = [
      'x'.repeat(100),
      'ab '.repeat(33),
      'ﷺ'.repeat(100),
      '\u0301'.repeat(100),
      '👩‍👩‍👧‍👦'.repeat(14),
      '\u202Eevil',
      '\uFEFF\u200B',
      '\u{10FFFF}',
      '\uFFFF',
      'a\u0001b',
      'Z̷̢̛͎̈́a̸͓͐l̵̰͝g̶̗̓ơ̴̲',
      '-1',
      '1e309',
      '@',
      '@@',
      'null',
      '𝕆𝕝𝕚𝕧𝕚𝕒',
    ]
    for (const text of texts) expect([text, Array.isArray(await searchAs(viewer, text))]).toEqual([text, true])
  })

  test('that cannot be stored, is too long or missing is named', async () => {
    const ask = (name: string) => refusal(searchAs(viewer, name))
    expect(await ask('a\0b')).toEqual(invalid('name', 'The name field format is invalid.'))
    expect(await ask('x'.repeat(101))).toEqual(
      invalid('name', 'The name field must not be greater than 100 characters.'),
    )
    expect(await ask('   ')).toEqual(invalid('name', 'The name field is required.'))
  })

  test('as a name can be registered and changed, however it folds', async () => {
    for (const name of [
      'ﷺ'.repeat(100),
      'a b '.repeat(25),
      '\u0301',
      '%_\\',
      '🦩'.repeat(100),
      '.',
      '漢'.repeat(100),
    ]) {
      const id = await add(name, name, { middle: name })
      await befriend(viewer.id, id)
      await set(id, { first_name: `${name.slice(0, 50)}x`.trim() })
    }
  })
})
