import { httpSide, startCeilingServer, startCeilingWorker } from '../ceiling.ts'
import type { Duel } from '../figures.ts'
import { password, tokenOf } from '../fill/sessions.ts'
import { httpRequest } from '../http-request.ts'
import type { RowGroup } from '../row-group.ts'
import { startService } from '../service.ts'
import type { Stage } from '../stage.ts'
import { oneOf } from '../statistics.ts'

const connections = 64
const viewers = Array.from({ length: 400 }, (_, n) => 21 + n)

/** Reading the account, the ping, signing in, being refused for asking too much. */
export const accounts: RowGroup = {
  ids: ['P11', 'P12', 'P28', 'P37'],
  async *duels(stage) {
    yield await readAccount(stage)
    yield await ping(stage)
    yield await signIn(stage)
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
        work: 'GET account',
        ceiling: 'bare Fastify + one primary-key select',
        figure: 'rate',
        floor: 0.9,
        aim: 1.5,
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
        work: 'PUT realtime/ping',
        ceiling: 'bare Fastify with bearer and limiter',
        figure: 'rate',
        floor: 0.85,
        aim: 0.95,
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

const signIn = async ({ large: { service, db }, random }: Stage): Promise<Duel> => {
  const { rows } = await db.query(
    'select id, username, password_hash from users where id between 21 and 400 and status <> 3',
  )
  const hash = rows[0].password_hash
  const ceiling = await startCeilingWorker(
    'hash',
    { hash, password },
    { postgres: service.postgres, countsItself: true },
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
    ours: httpSide({ port: service.port, connections: 8, next: () => oneOf(requests, random) }, service),
    end: ceiling.stop,
  }
}

const tooMany = async ({ large: { service }, scratch, random }: Stage): Promise<Duel> => {
  // Of a service whose limits are low: after the first ping of a minute every other one is refused.
  const { databaseUrl } = service
  const strict = await startService(`${scratch}/strict`, {
    beside: service,
    databaseUrl,
    env: { RATE_LIMIT_FACTOR: '0.01' },
  })
  const ceiling = await startCeilingServer('not-found')
  const bare = httpRequest('PUT', '/api/realtime/ping', { token: tokenOf(21) })
  const requests = viewers.slice(0, 20).map(id => httpRequest('PUT', '/api/realtime/ping', { token: tokenOf(id) }))
  const refused = (status: number) => status === 429 || status === 200
  return {
    goals: [
      { id: 'P37', work: 'CPU of a 429', ceiling: 'bare Fastify 404', figure: 'serverCpu', floor: 1.2, aim: 1.05 },
    ],
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
