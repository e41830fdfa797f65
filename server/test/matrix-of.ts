import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operationsBySlice } from '@afterglow/contract/operations'
import type { Refusal } from '@afterglow/contract/route'
import { entriesOfSlices, type SliceName, slices } from '@afterglow/contract/slices'
import { AfterglowError } from '@afterglow/sdk'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { allRows } from './all-rows.ts'
import { type Api, openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { outside, receiver, rows } from './matrix.ts'
import { quick } from './notified.ts'
import { bringIn, evening } from './party.ts'
import { openCompany, openScene, type Role } from './scene.ts'
import { whenDone } from './when-done.ts'

type Slices = typeof slices
/** A folder of the service that serves slices of the contract. */
type Folder = { [Name in SliceName]: Slices[Name] extends { within: string } ? never : Name }[SliceName]

export const folders = Object.keys(slices).filter((name): name is Folder => !('within' in slices[name as SliceName]))

/** The service with a webhook receiver. */
export const openMatrixApp = async () => {
  const hooks = createServer((_, reply) => reply.writeHead(204).end()).listen(0, '127.0.0.1')
  await once(hooks, 'listening')
  whenDone(() => hooks.close())
  receiver.url = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`
  return openTestApp({}, { timing: quick, env: { WEBHOOK_PRIVATE_ORIGINS: receiver.url } })
}

export const operationsOf = (folder: Folder) =>
  entriesOfSlices
    .filter(([name, { within = name }]) => within === folder)
    .flatMap(([slice]) => operationsBySlice[slice].map(operation => ({ ...operation, slice })))

type Reply = { status: number; body: unknown }
export const call = async (
  api: Api,
  { slice, name }: { slice: keyof Api; name: string },
  input: unknown,
  idempotencyKey?: string,
): Promise<Reply> => {
  type Method = (input: unknown, options?: { idempotencyKey?: string | undefined }) => Promise<unknown>
  const method = (api[slice] as unknown as Record<string, Method>)[name]
  try {
    return { status: 200, body: await method?.(input, idempotencyKey === undefined ? undefined : { idempotencyKey }) }
  } catch (error) {
    if (!(error instanceof AfterglowError)) throw error
    return { status: error.status, body: error.body }
  }
}

/** A refusal on the wire; a code that the operation does not have is the name of an invalid field. */
export const wire = (refusals: Record<string, Refusal>, code: string): Reply => {
  const refusal = refusals[code]
  if (code === 'unreadable')
    return { status: 400, body: { error_message: 'The link that you came by is not for this.' } }
  if (!refusal) return { status: 400, body: { [code]: [`The selected ${code.replaceAll('_', ' ')} is invalid.`] } }
  if ('text' in refusal) return { status: 404, body: refusal.text }
  const { status, ...body } = refusal
  return { status, body }
}

/** Tests the permissions for every operation of a folder, and that none works without a valid token. */
export const tryMatrix = async (folder: Folder): Promise<void> => {
  const app = await openMatrixApp()
  outside.api = () => app.as()
  const company = await openCompany(app)
  const roles = Object.keys(company) as Role[]
  const shared = await openScene(company)
  const operations = operationsOf(folder)
  const own = rows.filter(({ operation }) => operations.some(({ name }) => name === operation))

  describe.each(own.map(row => [row.use ? `${row.operation} (${row.use})` : row.operation, row] as const))(
    '%s',
    (_, row) => {
      const operation = operations.find(({ name }) => name === row.operation) as (typeof operations)[number]
      const { outcomes } = row

      if ('nobody' in outcomes) {
        test('needs no bearer', async () => {
          expect((await call(app.as(), operation, await row.input(shared, company, 'guest'))).status).toBe(
            outcomes.nobody,
          )
        })
        return
      }
      if ('anyone' in outcomes) {
        test('serves anyone who is signed in', async () => {
          const someone = await enter(app, 'sam')
          const { status, body } = await call(someone.api, operation, await row.input(shared, company, 'guest'))
          expect({ status, body }).toMatchObject({ status: outcomes.anyone })
        })
        return
      }
      const inputOf = async (role: Role) => row.input(row.alone ? await openScene(company) : shared, company, role)
      const all = roles.map(role => [role, outcomes[role]] as const)
      const refused = all.filter((one): one is [Role, string] => typeof one[1] === 'string')
      const inputs = new Map<Role, unknown>()
      let before: unknown
      beforeAll(async () => {
        if (refused.length === 0) return
        // Creates the inputs before all refusals: their announcements take a minute if each is awaited alone. One scene
        // is enough for all: the rows show that no refusal changes it.
        const scene = row.alone ? await openScene(company) : shared
        for (const [role] of refused) inputs.set(role, await row.input(scene, company, role))
        before = await allRows(app)
      })
      test.each(refused)('%s: %s', async (role, outcome) => {
        const reply = await call(company[role].api, operation, inputs.get(role))
        expect(reply).toEqual(wire(operation.refusals, outcome))
        expect(await allRows(app)).toEqual(before)
      })
      test.each(all.filter(([, outcome]) => typeof outcome === 'number'))('%s: %s', async role => {
        const reply = await call(company[role].api, operation, await inputOf(role))
        // The client reports any success as 200; comments test where 201 is promised.
        expect(reply).toMatchObject({ status: 200 })
      })
    },
  )

  describe('without a living token', async () => {
    const expired = await enter(app, 'sam')
    const revoked = await enter(app, 'sam')
    const suspended = await enter(app, 'sam')
    await sql`update devices set token_expires_at = now() where user_id = ${expired.id}`.execute(app.db)
    await revoked.api.accounts.logout()
    await sql`update users set status = 3 where id = ${suspended.id}`.execute(app.db)
    const { organizer } = company
    const { id: event_id } = await organizer.api.events.saveEvent(evening())
    const drop = await organizer.api.links.makeLink({ event_id, kind: 'drop' })
    const adder = await app.as().links.joinByLink({ code: drop.link_code, user_first_name: 'Ada' })
    await sql`update event_links set expires_at = clock_timestamp() where id = ${drop.id}`.execute(app.db)
    const { calendar_feed_url } = await organizer.api.plans.makeCalendarFeed()
    const rita = await enter(app, 'rita')
    await bringIn(organizer, event_id, rita)
    const role = { event_id, user_id: rita.id }
    await organizer.api.events.makeOrganizer(role)
    const { link_code: code } = await organizer.api.links.makeLink({ event_id })
    const anna = await app.as().links.joinByLink({ code, user_first_name: 'Anna' })
    const { transfer_url } = await rita.api.returns.letInAgain({ event_id, user_id: anna.user.id })
    const transfer_code = transfer_url.split('#code=')[1] ?? ''
    const phone = { device_id: 'let in', user_timezone: 'UTC', user_device_platform: 'web' }
    const letIn = await app.as().transfers.takeTransfer({ transfer_code, ...phone })
    await organizer.api.events.unmakeOrganizer(role)
    for (const { token } of [adder, letIn])
      await vi.waitFor(
        () => expect(app.as(token).accounts.readAccount()).rejects.toMatchObject({ status: 401 }),
        30_000,
      )
    const tokens = {
      'by a link for adding that expired': adder.token,
      'by the code of somebody who organizes no more': letIn.token,
      'a calendar’s address': /[\w-]{20,}/.exec(calendar_feed_url ?? '')?.[0],
      none: undefined,
      garbage: 'x'.repeat(43),
      expired: expired.token,
      revoked: revoked.token,
      suspended: suspended.token,
    }

    const guarded = operations
      .filter(({ open }) => !open)
      .flatMap(({ name, at }) => at.map(address => [name, ...address] as const))
    let before: unknown
    beforeAll(async () => {
      before = await allRows(app)
    })
    test.each(guarded)('%s is refused: %s %s', async (_, method, path) => {
      const url = `${app.url}/${path.replaceAll(/\{\w+\}/g, '1')}`
      for (const [state, token] of Object.entries(tokens)) {
        const reply = await fetch(url, { method, headers: token ? { authorization: `Bearer ${token}` } : {} })
        expect([state, reply.status, await reply.json()]).toEqual([state, 401, { message: 'Unauthenticated.' }])
      }
      expect(await allRows(app)).toEqual(before)
    })
  })
}
