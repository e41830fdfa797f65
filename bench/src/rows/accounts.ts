import { dirname, join } from 'node:path'
import { httpSide, startCeilingServer, startCeilingWorker } from '../ceiling.ts'
import type { Duel, Side } from '../figures.ts'
import { password, tokenOf } from '../fill/sessions.ts'
import { type Load, load } from '../http-load.ts'
import { httpRequest } from '../http-request.ts'
import { membersOf } from '../members.ts'
import type { Metered } from '../meter.ts'
import type { RowGroup } from '../row-group.ts'
import { startService } from '../service.ts'
import type { Stage } from '../stage.ts'
import { oneOf } from '../statistics.ts'

const connections = 64
const viewers = Array.from({ length: 400 }, (_, n) => 21 + n)
/** Everybody of a large instance: each comes back after some ten seconds at the earliest, as people do. */
const crowdMax = 40_000

/** Reading the account, the ping, by a few and by a crowd, signing in, being refused for asking too much. */
export const accounts: RowGroup = {
  ids: ['P11', 'P12', 'P11c', 'P12c', 'P28', 'P29', 'P37'],
  async *duels(stage) {
    yield await readAccount(stage)
    yield await ping(stage)
    yield await readAccountInTurn(stage)
    yield await pingInTurn(stage)
    yield await signIn(stage)
    yield await besideSignIns(stage)
    yield await tooMany(stage)
  },
}

const readAccount = async ({ large: { service }, random }: Stage): Promise<Duel> => {
  const ceiling = await startCeilingServer('account', { databaseUrl: service.databaseUrl })
  const bare = viewers.map(id => httpRequest('GET', `/account/${id}`))
  const requests = viewers.map(id => httpRequest('GET', '/api/account', { token: tokenOf(id) }))
  return {
    goals: [
      {
        id: 'P11',
        work: 'GET account, 400 people without pause',
        ceiling: 'bare Fastify + one primary-key select',
        figure: 'rate',
        cpuDecides: true,
      },
    ],
    ceiling: httpSide({ port: ceiling.port, connections, next: () => oneOf(bare, random) }, { ...service, ...ceiling }),
    ours: httpSide({ port: service.port, connections, next: () => oneOf(requests, random) }, service),
    end: ceiling.stop,
  }
}

const ping = async ({ large: { service }, random }: Stage): Promise<Duel> => {
  const ceiling = await startCeilingServer('ping', { databaseUrl: service.databaseUrl })
  const bare = viewers.map(id => httpRequest('PUT', '/ping', { token: tokenOf(id) }))
  const requests = viewers.map(id => httpRequest('PUT', '/api/realtime/ping', { token: tokenOf(id) }))
  return {
    goals: [
      {
        id: 'P12',
        work: 'PUT realtime/ping, 400 people without pause',
        ceiling: 'bare Fastify with bearer and limiter',
        figure: 'rate',
        cpuDecides: true,
      },
    ],
    ceiling: httpSide(
      { port: ceiling.port, connections, restless: true, next: () => oneOf(bare, random) },
      { ...service, ...ceiling },
    ),
    ours: httpSide({ port: service.port, connections, restless: true, next: () => oneOf(requests, random) }, service),
    end: ceiling.stop,
  }
}

/** Those of the stage who may sign in, up to so many. */
const crowdOf = ({ large: { size } }: Stage) =>
  Array.from({ length: Math.min(size.users, crowdMax) }, (_, n) => n + 1).filter(id => id % 500 !== 0)

/** One after the other, and from the first again. Before the first round everybody has been there once. */
const inTurn = (given: Omit<Load, 'next'>, requests: readonly Buffer[], metered: Metered): Side => {
  let at = 0
  const next = () => requests[at++ % requests.length] as Buffer
  const once = () => (at < requests.length ? next() : null)
  return {
    ...httpSide({ ...given, next }, metered),
    async warm() {
      await httpSide({ ...given, next: once }, metered).run(60)
    },
  }
}

const readAccountInTurn = async (stage: Stage): Promise<Duel> => {
  const { service } = stage.large
  const crowd = crowdOf(stage)
  const ceiling = await startCeilingServer('account', { databaseUrl: service.databaseUrl })
  return {
    goals: [
      {
        id: 'P11c',
        work: `GET account, ${crowd.length} people in turn`,
        ceiling: 'bare Fastify + one primary-key select',
        figure: 'rate',
        floor: 0.5,
        aim: 0.8,
        cpuDecides: true,
      },
    ],
    ceiling: inTurn(
      { port: ceiling.port, connections },
      crowd.map(id => httpRequest('GET', `/account/${id}`)),
      { ...service, ...ceiling },
    ),
    ours: inTurn(
      { port: service.port, connections },
      crowd.map(id => httpRequest('GET', '/api/account', { token: tokenOf(id) })),
      service,
    ),
    end: ceiling.stop,
  }
}

const pingInTurn = async (stage: Stage): Promise<Duel> => {
  const { service } = stage.large
  const crowd = crowdOf(stage)
  const ceiling = await startCeilingServer('ping', { databaseUrl: service.databaseUrl })
  return {
    goals: [
      {
        id: 'P12c',
        work: `PUT realtime/ping, ${crowd.length} people in turn`,
        ceiling: 'bare Fastify with bearer and limiter',
        figure: 'rate',
        floor: 0.35,
        aim: 0.5,
        cpuDecides: true,
      },
    ],
    ceiling: inTurn(
      { port: ceiling.port, connections, restless: true },
      crowd.map(id => httpRequest('PUT', '/ping', { token: tokenOf(id) })),
      { ...service, ...ceiling },
    ),
    ours: inTurn(
      { port: service.port, connections, restless: true },
      crowd.map(id => httpRequest('PUT', '/api/realtime/ping', { token: tokenOf(id) })),
      service,
    ),
    end: ceiling.stop,
  }
}

/** Of people who are not suspended, one at random each time. */
const signInsOf = async ({ large: { db }, random }: Stage) => {
  const { rows } = await db.query(
    'select id, username, password_hash from users where id between 21 and 400 and status <> 3',
  )
  const requests = rows.map(({ username }) =>
    httpRequest('POST', '/api/account/authenticate', {
      type: 'application/json',
      body: JSON.stringify({
        user_login_option_type: 1,
        user_login_id: username,
        user_password: password,
        device_id: 'tablet',
        user_timezone: 'UTC',
        user_device_platform: 'android',
      }),
    }),
  )
  return { hash: rows[0].password_hash, next: () => oneOf(requests, random) }
}

const signIn = async (stage: Stage): Promise<Duel> => {
  const { service } = stage.large
  const { hash, next } = await signInsOf(stage)
  const ceiling = await startCeilingWorker(
    'hash',
    { hash, password },
    { postgres: service.postgres, countsItself: true },
  )
  return {
    goals: [
      {
        id: 'P28',
        work: 'sign-ins',
        ceiling: 'bare argon2 hashes',
        figure: 'rate',
        floor: 0.9,
        aim: 0.97,
        cpuDecides: true,
      },
    ],
    ceiling: ceiling.side,
    ours: httpSide({ port: service.port, connections: signInsAtOnce, next }, service),
    end: ceiling.stop,
  }
}

const signInsAtOnce = 8
const readers = 4

/** How long a list takes to who reads it while others sign in without pause. */
const besideSignIns = async (stage: Stage): Promise<Duel> => {
  const { service, db } = stage.large
  const { next } = await signInsOf(stage)
  const members = await membersOf(db, { from: 101, to: 356 }, 1)
  const lists = members.map(({ event, token }) =>
    httpRequest('GET', `/api/gallery/photos/${event}?page_length=20&page=1`, { token }),
  )
  const reading = httpSide(
    { port: service.port, connections: readers, next: () => oneOf(lists, stage.random) },
    service,
  )
  return {
    goals: [
      {
        id: 'P29',
        work: `a list while ${signInsAtOnce} sign in, p99`,
        ceiling: 'the same alone',
        figure: 'p99',
        floor: 2.5,
        aim: 1.8,
      },
    ],
    ceiling: reading,
    ours: {
      async run(seconds) {
        const [slice] = await Promise.all([
          reading.run(seconds),
          load({ port: service.port, connections: signInsAtOnce, next }, seconds),
        ])
        return slice
      },
    },
  }
}

const tooMany = async ({ large: { service }, scratch, random }: Stage): Promise<Duel> => {
  // Of a service whose limits are low: after the first ping of a minute every other one is refused.
  const { databaseUrl } = service
  const strict = await startService(`${scratch}/strict`, {
    beside: service,
    databaseUrl,
    env: { RATE_LIMIT_FACTOR: '0.01', SECRETS_FILE: join(dirname(service.logFile), 'secrets.json') },
  })
  const ceiling = await startCeilingServer('not-found')
  const bare = httpRequest('PUT', '/api/realtime/ping', { token: tokenOf(21) })
  const requests = viewers.slice(0, 20).map(id => httpRequest('PUT', '/api/realtime/ping', { token: tokenOf(id) }))
  const refused = (status: number) => status === 429 || status === 200
  return {
    goals: [{ id: 'P37', work: 'CPU of a 429', ceiling: 'bare Fastify 404', figure: 'serverCpu' }],
    ceiling: httpSide(
      { port: ceiling.port, connections, restless: true, next: () => bare, expects: status => status === 404 },
      { ...service, ...ceiling },
    ),
    ours: httpSide(
      { port: strict.port, connections, restless: true, next: () => oneOf(requests, random), expects: refused },
      strict,
    ),
    async end() {
      await ceiling.stop()
      await strict.stop()
    },
  }
}
