import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { invalid, refusal } from '../../test/refused.ts'
import { searching, type Traits } from '../../test/search-people.ts'

const app = await openTestApp()
const viewer = await enter(app, 'sam')
const { searchAs, find, add, befriend, set } = searching(app, viewer)

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
    ['in hiragana, by katakana too', 'はなこ', 'さとう', ['はな', 'ハナコ', 'ﾊﾅｺ', 'サトウ はな']],
    ['in katakana, by hiragana too', 'ガーデン', 'ミドリ', ['がー', 'みどり', 'ミドリ がーでん']],
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
    ['Gqonzález', ['gqonzales', 'gqonsalez', 'gqonzlez', 'qonzález']],
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

describe('a hostile text', () => {
  test('is no pattern: % and _ and \\ mean nothing, among friends neither', async () => {
    const [stranger, friend] = [await add('Pqattern', 'One'), await add('Pqattern', 'Two')]
    await befriend(viewer.id, friend)
    for (const query of ['pqattern%', 'pqattern\\', '_pqattern', '%pqattern one'])
      expect([query, (await find(query)).includes(stranger)]).toEqual([query, true])
    const patterns = ['%', '_', '\\', '%%', 'p%n', 'pqat_ern', '.*', '*', '(', '[', '!', '~', "'; drop table users; --"]
    for (const query of patterns) expect([query, await find(query)]).toEqual([query, []])
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

  test('a text that cannot be stored, is too long or missing is named', async () => {
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
