import { type LinkRole, rolesThatMay } from '@afterglow/contract/capabilities'
import { operationsBySlice } from '@afterglow/contract/operations'
import { expect, test } from 'vitest'
import type { Api } from './app.ts'
import { byLink, type Line, tried } from './link-matrix.ts'
import { outside, rows } from './matrix.ts'
import { call, openMatrixApp, wire } from './matrix-of.ts'
import { openCompany, openScene, type Scene } from './scene.ts'

/*
 * Every kind of link × every operation: a visitor by a link gets the answer that the operation's line states, and
 * nothing else.
 */

const app = await openMatrixApp()
outside.api = () => app.as()
const company = await openCompany(app)
const shared = await openScene(company)
const operations = Object.entries(operationsBySlice).flatMap(([slice, all]) =>
  all.map(operation => ({ ...operation, slice: slice as keyof Api })),
)

/** A visitor by a link of each kind, without any other relation to the event. */
const visitorsOf = async ({ event_id }: Scene) => {
  const { links } = company.organizer.api
  const looking = async (kind: 'look' | 'screen', shows_chat: boolean) => {
    const { link_code: code } = await links.makeLink({ event_id, kind, shows_chat })
    return app.as((await app.as().links.viewByLink({ code })).token)
  }
  const { link_code: code } = await links.makeLink({ event_id, kind: 'drop' })
  const { token } = await app.as().links.joinByLink({ code, user_first_name: 'Fabio' })
  return {
    drop: app.as(token),
    look: await looking('look', false),
    look_chat: await looking('look', true),
    screen: await looking('screen', false),
    screen_chat: await looking('screen', true),
  } satisfies Record<Exclude<LinkRole, 'guest'>, Api>
}
const visitors = await visitorsOf(shared)

const endsThem = new Set(['logout', 'refreshToken', 'claimAccount'])
const nameOf = ({ operation, use }: { operation: string; use?: string }) => (use ? `${operation} (${use})` : operation)

test('every operation has a line for each kind of link, and every line an operation', () => {
  expect(Object.keys(byLink).sort()).toEqual([...new Set(rows.map(nameOf))].sort())
  expect([...tried].sort()).toEqual(
    rolesThatMay('see')
      .filter(role => !rolesThatMay('read').includes(role))
      .toSorted(),
  )
})

test.each(rows.map(row => [nameOf(row), row] as const))('operations by a link: %s', async (name, row) => {
  const operation = operations.find(each => each.name === row.operation) as (typeof operations)[number]
  if ('nobody' in row.outcomes) return expect(byLink[name]).toBe('open')
  const scene = row.alone ? await openScene(company) : shared
  const asking = row.alone || endsThem.has(row.operation) ? await visitorsOf(scene) : visitors
  const line = byLink[name] as Line
  const input = await row.input(scene, company, 'guest')
  for (const [at, role] of tried.entries()) {
    const expected = line[at] as Line[number]
    const reply = await call(asking[role], operation, input)
    if (typeof expected === 'number') expect([role, reply]).toMatchObject([role, { status: expected }])
    else expect([role, reply]).toEqual([role, wire(operation.refusals, expected)])
  }
})

test('an operation that a link is not for is refused with its own code', async () => {
  const settings = { user_setting_mute_notification: true }
  for (const role of ['look', 'screen'] as const)
    await expect(visitors[role].accounts.updateSettings(settings)).rejects.toMatchObject({ code: 'notForLink' })
})
