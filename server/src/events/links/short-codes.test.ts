import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { evening } from '../../../test/party.ts'
import { notFound, refusal } from '../../../test/refused.ts'
import { openLinkCodes } from './link-codes.ts'
import { shortCodeWords } from './short-code-words.ts'
import { alike, shortCodeIn } from './typed-codes.ts'

const app = await openTestApp({ rateFactor: 1 }, { env: { TRUSTED_PROXIES: '127.0.0.1' } })
const olivia = await enter(app, 'olivia')
const paged = { page: 1, page_length: 50 }

const hold = async () => (await olivia.api.events.saveEvent(evening({ event_visibility: 3 }))).id
const link = async (event_id: number, fields: object = {}) => {
  const { extra, ...made } = await olivia.extra.links.makeLink({ event_id, ...fields })
  return { ...made, short: extra.short_code ?? '', url: extra.short_url }
}
/** Each address has a budget of its own. */
let addresses = 0
const elsewhere = () => `198.51.${addresses++ >> 8}.${addresses & 255}`
const open = async (code: string, from: string) => {
  const reply = await fetch(`${app.url}/api/event/link/open/${encodeURIComponent(code)}`, {
    headers: { 'x-forwarded-for': from },
  })
  return { status: reply.status, code: reply.ok ? (await reply.json()).link_code : undefined }
}
const statusesOf = async (codes: readonly string[], from: () => string) => {
  const statuses: number[] = []
  for (const code of codes) statuses.push((await open(code, from())).status)
  return statuses
}
/** Nobody has one: such numbers are left out. */
const wrong = (word: string, n = 0) => `${word}-88${String(n).padStart(2, '0')}`

describe('a short code', () => {
  test('opens its link however it is typed', async () => {
    const { short, url, link_code } = await link(await hold())
    expect(short).toMatch(/^[A-Z]{3,7}-\d{4}$/)
    expect(url).toBe(`${app.url}/${short}`)
    const typed = [
      short,
      short.toLowerCase(),
      short.replace('-', ''),
      short.replace('-', ' '),
      short.replace('-', '–'),
      ` ${short}.`,
      short.replaceAll('0', 'O').replaceAll('1', 'l'),
      short.replaceAll(/\d/g, digit => String.fromCodePoint(0x660 + Number(digit))),
      short.replaceAll('O', '0').replaceAll('I', '1').replaceAll('S', '5'),
    ]
    for (const each of typed) expect(await open(each, '203.0.113.1'), each).toEqual({ status: 200, code: link_code })
  })

  test('lets people in, shows what a link for looking shows, and opens nothing once the link is closed', async () => {
    const event_id = await hold()
    const guest = await link(event_id, { pin: '2468' })
    const joined = await app.as().links.joinByLink({ code: guest.short, user_first_name: 'Anna', pin: '2468' })
    expect(await app.as(joined.token).events.readEvent({ event_id })).toMatchObject({ event_role: 'guest' })
    const look = await link(event_id, { kind: 'look' })
    const viewing = await app.as().links.viewByLink({ code: look.short })
    expect((await app.as(viewing.token).gallery.listPhotos({ event_id, ...paged })).data).toEqual([])
    await olivia.api.links.revokeLink({ link_id: look.id })
    expect(await refusal(app.as().links.viewByLink({ code: look.short }))).toEqual(notFound('Link not found!'))
    const { rows } = await sql`select from link_short_codes where link_id = ${look.id}`.execute(app.db)
    expect(rows).toHaveLength(1)
  })

  test('is given to a link of before by looking at it, once, and to none that was mailed to somebody', async () => {
    const event_id = await hold()
    const ids = [await link(event_id), await link(event_id, { max_uses: 1 })].map(({ id }) => id)
    await sql`delete from link_short_codes where link_id = any(${ids})`.execute(app.db)
    const listed = async () =>
      (await olivia.extra.links.listLinks({ event_id, ...paged })).data.map(({ extra }) => extra)
    const [first, second] = await Promise.all([listed(), listed()])
    expect(first).toEqual([
      { short_code: null, short_url: null },
      { short_code: expect.any(String), short_url: expect.any(String) },
    ])
    expect(second).toEqual(first)
    expect(await listed()).toEqual(first)
  })

  test('is the same for as long as there is the secret, and another one where it is taken', () => {
    const codes = openLinkCodes(Buffer.alloc(32))
    expect([0, 1].map(turn => codes.shortCodeOf(Buffer.alloc(16), turn))).toMatchInlineSnapshot(`
      [
        "QUILT-4073",
        "MANOR-9393",
      ]
    `)
    expect(new Set(shortCodeWords.map(alike)).size).toBe(shortCodeWords.length)
    for (const word of shortCodeWords) expect(shortCodeIn(`${word.toLowerCase()} 2106`)).toBe(`${word}2106`)
  })

  test('is no other address and no other code', () => {
    for (const other of [
      'events',
      'settings',
      'sign-in',
      'sw.js',
      'healthz',
      'e2e',
      '2106',
      'x'.repeat(22),
      'LAKE-210',
    ])
      expect(shortCodeIn(other), other).toBeUndefined()
  })
})

describe('a guesser of short codes', () => {
  test('gets twenty an hour answered behind one address, and no right one then', async () => {
    const { short } = await link(await hold())
    const guesses = shortCodeWords.slice(0, 25).map(word => wrong(word))
    expect(await statusesOf(guesses, () => '203.0.113.20')).toEqual([...Array(20).fill(404), ...Array(5).fill(429)])
    expect((await open(short, '203.0.113.20')).status).toBe(429)
    expect((await open(short, '203.0.113.21')).status).toBe(200)
  })

  test('gets ten an hour of one word from all addresses together, and many at once gain nothing', async () => {
    const { short } = await link(await hold())
    const known = elsewhere()
    expect((await open(short, known)).status).toBe(200)
    const word = short.slice(0, -5)
    const guesses = Array.from({ length: 30 }, (_, n) => open(wrong(word, n), elsewhere()))
    const answered = (await Promise.all(guesses)).map(({ status }) => status)
    expect(answered.filter(status => status === 404)).toHaveLength(10)
    expect((await open(short, elsewhere())).status).toBe(429)
    // Where it was typed before, nobody waits for those who guess elsewhere.
    expect((await open(short, known)).status).toBe(200)
  })

  test('gets sixty an hour from all addresses and of all words together', async () => {
    const strict = await openTestApp({ rateFactor: 1 }, { env: { TRUSTED_PROXIES: '127.0.0.1' } })
    const ask = async (code: string) =>
      (await fetch(`${strict.url}/api/event/link/open/${code}`, { headers: { 'x-forwarded-for': elsewhere() } })).status
    const answered = await Promise.all(shortCodeWords.slice(0, 70).map(word => ask(wrong(word))))
    expect(answered.filter(status => status === 404)).toHaveLength(60)
  })
})
