import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '../../server/test/app.ts'
import { newFolder } from '../../server/test/new-folder.ts'
import { whenDone } from '../../server/test/when-done.ts'
import { conform, statements } from '../src/conform.ts'
import { deviating, deviations } from './deviations.ts'

const app = await openTestApp({ rateFactor: 1 })
const folder = newFolder('conformance')

const main = join(import.meta.dirname, '../src/main.ts')
const run = (...words: string[]) =>
  new Promise<{ code: number; out: string; err: string }>(resolve => {
    execFile(process.execPath, [main, ...words], (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })
const broken = (results: Awaited<ReturnType<typeof conform>>) => results.filter(each => each.outcome !== 'holds')

test('this service satisfies every statement, and the kit leaves no account behind', async () => {
  expect(broken(await conform(app.url, { additions: true }))).toEqual([])
  const { rows } = await sql`select from users where username like 'conformance.%' and status <> 4`.execute(app.db)
  expect(rows).toEqual([])
}, 300_000)

describe(`of ${deviations.length} planted deviations`, () => {
  test.each(deviations.map(each => [each.name, each] as const))('%s is found', async (_, deviation) => {
    const results = await conform(app.url, { only: [deviation.found], send: deviating(deviation) })
    expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([[deviation.found, 'broken']])
    expect(results[0]?.seen).not.toContain('cannot be read')
  })
})

test('each search finds a different set, and together they find all statements', () => {
  expect(deviations.length).toBeGreaterThanOrEqual(40)
  const ids = new Set(statements.map(({ id }) => id))
  expect(ids.size).toBe(statements.length)
  expect(deviations.filter(({ found }) => !ids.has(found))).toEqual([])
})

test('text, JSON, JUnit and badge agree', async () => {
  const only = ['--only', 'realtime,account.read']
  const badge = join(folder, 'badge.svg')
  const said = await run(app.url, ...only, '--badge', badge)
  expect(said).toMatchObject({ code: 0, err: '4 of 4 statements hold, 0 are broken, 0 were not tried.\n' })
  expect(said.out).toContain('✓ realtime.ping: ')
  expect(await readFile(badge, 'utf8')).toContain('4 / 4')
  const json = join(folder, 'report.json')
  expect((await run(app.url, ...only, '--format', 'json', '--output', json)).out).toBe('')
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
    holds: 4,
    broken: 0,
    statements: [{ outcome: 'holds' }, {}, {}, {}],
  })
  const junit = await run(app.url, ...only, '--format', 'junit')
  expect(junit.out).toContain('<testsuite name="conformance" tests="4" failures="0" skipped="0">')
})

test('--list prints the statements without a service, and names unknown ones', async () => {
  expect((await run('--list', '--only', 'limits')).out.trim().split('\n')).toHaveLength(14)
  expect(await run(app.url, '--only', 'nothing')).toMatchObject({ code: 2 })
  expect(await run(app.url, '--format', 'xml')).toMatchObject({ code: 2 })
  expect(await run(app.url, '--frobnicate')).toMatchObject({ code: 2 })
  await writeFile(join(folder, 'world.json'), '{')
  expect(await run(app.url, '--world', join(folder, 'world.json'))).toMatchObject({ code: 2 })
})

const serving = (listener: RequestListener) =>
  new Promise<string>(resolve => {
    const server = createServer(listener).listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
    whenDone(() => server.close())
  })

describe('the kit reports once that a server does not speak the interface:', () => {
  test('the server is a web page', async () => {
    const page = await serving((_, reply) => reply.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>'))
    expect(await run(page)).toMatchObject({ code: 2, err: expect.stringContaining('does not speak the interface') })
  })

  test('the server answers everything with 200', async () => {
    const yes = await serving((_, reply) => reply.setHeader('content-type', 'application/json').end('{}'))
    expect(await run(yes)).toMatchObject({ code: 2, err: expect.stringContaining('answers 200') })
  })

  test('a server that registers people but signs nobody in fails, with one cause', async () => {
    const tokenless = await serving((request, reply) => {
      reply.setHeader('content-type', 'application/json')
      if (request.url?.endsWith('/register')) return reply.end('{"user":{"id":1}}')
      reply.writeHead(401).end('{"message":"Unauthenticated."}')
    })
    const { code, out, err } = await run(tokenless, '--only', 'register,account,chats')
    expect(code).toBe(1)
    expect(out.split('answers without a token')).toHaveLength(2)
    expect(out).toContain('✗ register.answers')
    expect(out).toContain('for the reason told at register.answers')
    expect(err).toMatch(/were not tried\.\n$/)
  })

  test('a server closed to newcomers breaks nothing and has not passed', async () => {
    const closed = await serving((request, reply) => {
      reply.setHeader('content-type', 'application/json')
      if (request.url?.endsWith('/register')) return reply.writeHead(400).end('{"error_message":"Closed"}')
      reply.writeHead(401).end('{"message":"Unauthenticated."}')
    })
    const { code, err } = await run(closed, '--only', 'chats,comments')
    expect(code).toBe(1)
    expect(err).toContain('Most were not tried, so it has not passed.')
  })

  test('the kit waits for a server that asks it to', async () => {
    let asked = 0
    const busy = await serving((_, reply) => {
      asked += 1
      reply.setHeader('content-type', 'application/json')
      if (asked === 2) return reply.writeHead(429, { 'retry-after': '1' }).end('{"message":"Too Many Attempts."}')
      reply.writeHead(401, { 'www-authenticate': 'Bearer' }).end('{"message":"Unauthenticated."}')
    })
    const results = await conform(busy, { only: ['account.bearer'] })
    expect(results.filter(({ outcome }) => outcome === 'broken')).toEqual([])
    expect(asked).toBeGreaterThan(2)
  })

  test('the kit reports a dead port, and a missing address', async () => {
    expect(await run('http://127.0.0.1:1')).toMatchObject({ code: 2, err: expect.stringContaining('nobody answers') })
    expect(await run('party.example')).toMatchObject({ code: 2 })
    expect(await run()).toMatchObject({ code: 2 })
  })
})
