import { operations } from '@afterglow/contract/operations'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeErasureDue } from '../src/accounts/account-deletion.ts'
import { suspend } from '../src/accounts/moderation.ts'
import { allRows } from './all-rows.ts'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { eraseDue } from './erase-due.ts'
import { maskedText } from './masked.ts'
import { quick } from './notified.ts'
import { bringIn, evening } from './party.ts'

/* People who may not be found get the answer for unknown ids, in every operation that takes a person's id or name. */

const app = await openTestApp({}, { timing: quick })
// Makes the requested id distinguishable from every other number of a reply.
await sql`alter table users alter id restart with 700000001`.execute(app.db)
const [olivia, gus, ...others] = await Promise.all(
  (['olivia', 'gus', 'sam', 'sam', 'sam', 'sam', 'sam', 'gwen'] as const).map(name => enter(app, name)),
)
const [invisible, blocker, suspended, leaving, erased, findable] = others
if (!olivia || !gus || !invisible || !blocker || !suspended || !leaving || !erased || !findable)
  throw new Error('Somebody did not come')

const { id: event_id } = await olivia.api.events.saveEvent(evening())
await bringIn(olivia, event_id, gus)
await sql`update users set visible = false where id = ${invisible.id}`.execute(app.db)
await blocker.api.people.block({ user_id: olivia.id })
await suspend(app.db, suspended.id)
await leaving.api.privacy.deleteAccount({ user_password: leaving.password })
await makeErasureDue(app.db, erased.id, { erasesContent: false })
await eraseDue(app)

const nobody = 999_999_999
const unfindable = { invisible, blocker, suspended, leaving, erased }

/** The input that names a person in each operation that takes one, and the answer for a person who can be found. */
const naming: Record<string, { input(id: number): Record<string, unknown>; found: number }[]> = {
  readUser: [{ input: user_id => ({ user_id }), found: 200 }],
  befriend: [{ input: user_id => ({ user_id }), found: 200 }],
  unfriend: [{ input: user_id => ({ user_id }), found: 200 }],
  block: [{ input: user_id => ({ user_id }), found: 200 }],
  unblock: [{ input: user_id => ({ user_id }), found: 200 }],
  report: [
    { input: report_id => ({ report_type: 'user', report_id, report_reason: 'Rude' }), found: 200 },
    { input: report_id => ({ report_type: 'user', report_id, event_id, report_reason: 'Rude' }), found: 404 },
  ],
  invite: [
    { input: id => ({ event_id, user_ids: [id] }), found: 200 },
    { input: id => ({ event_id, user_ids: [gus.id, id] }), found: 200 },
  ],
  approveJoinRequest: [{ input: user_id => ({ event_id, user_id }), found: 400 }],
  rejectJoinRequest: [{ input: user_id => ({ event_id, user_id }), found: 400 }],
  makeOrganizer: [{ input: user_id => ({ event_id, user_id }), found: 404 }],
  unmakeOrganizer: [{ input: user_id => ({ event_id, user_id }), found: 404 }],
  handOver: [{ input: user_id => ({ event_id, user_id }), found: 404 }],
  endOffer: [{ input: user_id => ({ event_id, user_id }), found: 200 }],
  letInAgain: [{ input: user_id => ({ event_id, user_id }), found: 404 }],
  approveReturn: [{ input: user_id => ({ return_id: 1, user_id }), found: 404 }],
  answerEvent: [{ input: user_id => ({ event_id, user_id, event_answer: 'going' }), found: 404 }],
  addPerson: [{ input: user_id => ({ event_id, user_id, user_first_name: 'Rosa' }), found: 404 }],
  claimPerson: [{ input: user_id => ({ event_id, user_id }), found: 404 }],
  moveUp: [{ input: user_id => ({ event_id, user_id, move_reason: 'Early' }), found: 404 }],
  bringGuestBack: [{ input: user_id => ({ event_id, user_id }), found: 404 }],
  removeGuest: [{ input: user_id => ({ event_id, user_id }), found: 404 }],
  listPhotos: [{ input: taken_by => ({ event_id, taken_by, page: 1, page_length: 10 }), found: 200 }],
  readTimeline: [{ input: taken_by => ({ event_id, taken_by }), found: 200 }],
  readAllowance: [{ input: user_id => ({ event_id, user_id }), found: 404 }],
  allowPhotos: [{ input: user_id => ({ event_id, user_id, photos_max: 300 }), found: 404 }],
  linkAlbum: [{ input: taken_by => ({ event_id, taken_by }), found: 200 }],
}

const idFields = new Set(['user_id', 'user_ids', 'taken_by', 'report_type'])

test('every operation that takes a person’s id is tried here', () => {
  const taking = operations
    .filter(({ input }) =>
      Object.keys(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties ?? {}).some(field =>
        idFields.has(field),
      ),
    )
    .map(({ name }) => name)
  expect(Object.keys(naming).sort()).toEqual(taking.toSorted())
})

/** Headers that differ between requests, whatever they are about. */
const passing = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'etag', 'content-length'])

/** The whole reply, without the requested id and its signature. */
const ask = async (name: string, input: Record<string, unknown>, id: number | string) => {
  const operation = operations.find(each => each.name === name)
  if (!operation) throw new Error(`${name} is no operation`)
  const [method, pattern] = operation.at[0] as readonly [string, string]
  const rest = new Map(Object.entries(input))
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, field) => {
    const value = String(rest.get(field))
    rest.delete(field)
    return value
  })
  const inQuery = method === 'GET' || method === 'DELETE'
  const query = inQuery ? `?${new URLSearchParams([...rest].map(([field, value]) => [field, String(value)]))}` : ''
  const reply = await fetch(`${app.url}/${path}${query}`, {
    method,
    headers: { authorization: `Bearer ${olivia.token}`, ...(!inQuery && { 'content-type': 'application/json' }) },
    ...(!inQuery && { body: JSON.stringify(Object.fromEntries(rest)) }),
  })
  const headers = [...reply.headers].filter(([header]) => !passing.has(header))
  const text = (await reply.text()).replace(/&s=[\w-]+/, '').replace(`-${id}-`, '-<asked for>-')
  const body = maskedText(text, new Map([[id, '<asked for>']]))
  return { status: reply.status, headers, body }
}

const uses = Object.entries(naming).flatMap(([name, list]) => list.map((use, at) => [name, at + 1, use] as const))

describe.each(uses)('%s (%i)', (name, _, { input, found }) => {
  test('answers the same for an unknown person and for everybody who may not be found, and writes and rings nothing', async () => {
    const before = await allRows(app)
    const ofNobody = await ask(name, input(nobody), nobody)
    for (const [who, { id }] of Object.entries(unfindable))
      expect([who, await ask(name, input(id), id)]).toEqual([who, ofNobody])
    expect(await allRows(app)).toEqual(before)
  })

  test('answers for a person who may be found', async () => {
    expect((await ask(name, input(findable.id), findable.id)).status).toBe(found)
  })
})

test.each(['api/user/search', 'api/user/mention/search'])('%s finds none of them by name', async path => {
  const search = async (name: string) => {
    const url = `${app.url}/${path}?${new URLSearchParams({ name, page: '1', page_length: '10' })}`
    const reply = await fetch(url, { headers: { authorization: `Bearer ${olivia.token}` } })
    const { data } = (await reply.json()) as { data: { id: number }[] }
    return data.map(({ id }) => id)
  }
  for (const { username, id } of Object.values(unfindable)) expect(await search(username)).not.toContain(id)
  expect(await search(findable.username)).toContain(findable.id)
})
