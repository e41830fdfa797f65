import { createECDH, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { startCeilingWorker } from '../ceiling.ts'
import type { Duel, Side } from '../figures.ts'
import { openLines } from '../http-load.ts'
import { form, formType, httpRequest } from '../http-request.ts'
import { authorityFile, openPushService } from '../push-service.ts'
import { ask, each, openRoom, type Room } from '../room.ts'
import type { RowGroup } from '../row-group.ts'
import { startService } from '../service.ts'
import type { Stage } from '../stage.ts'
import { quantile } from '../statistics.ts'

/** Pushes a second, and what people who are away cost the one who sends them a message. */
export const pushes: RowGroup = {
  ids: ['P31.apns', 'P31.web', 'P31.web-plain', 'P32'],
  async *duels(stage) {
    yield await senders(stage, { id: 'P31.apns', way: 'apns', client: 'HTTP/2 client' })
    // No service takes a push that is not encrypted for its browser. What that alone costs, the last one shows.
    yield await senders(stage, { id: 'P31.web', way: 'web', client: 'HTTPS client that encrypts', seals: true })
    yield await senders(stage, { id: 'P31.web-plain', way: 'web', client: 'HTTPS client, which encrypts nothing' })
    yield await awayMembers(stage)
  },
}

const lanes = 32
/** Of what a browser is sent for a message of one line. */
const bytes = 400

type Sending = { id: string; way: 'apns' | 'web'; client: string; seals?: boolean }

const senders = async ({ large }: Stage, { id, way, client, seals = false }: Sending): Promise<Duel> => {
  const provider = await openPushService(way)
  const given = {
    way,
    origin: provider.origin,
    ca: readFileSync(authorityFile, 'utf8'),
    lanes: String(lanes),
    bytes: String(bytes),
    seals: seals ? 'yes' : '',
  }
  const metered = { postgres: large.service.postgres, countsItself: true }
  const bare = await startCeilingWorker('push', given, metered)
  const ours = await startCeilingWorker('push-sender', given, metered)
  return {
    goals: [
      {
        id,
        work: `pushes by the sender of ${way === 'apns' ? 'APNs' : 'Web Push'}`,
        ceiling: `bare ${client}`,
        figure: 'rate',
        floor: 0.7,
        aim: 0.85,
        cpuDecides: true,
      },
    ],
    ceiling: bare.side,
    ours: ours.side,
    async end() {
      await bare.stop()
      await ours.stop()
      provider.close()
    },
  }
}

const away = 1000
const pauseMs = 50

/** Each of them has a browser that is pushed to, at a provider on this machine. */
const awayMembers = async ({ large, scratch }: Stage): Promise<Duel> => {
  const provider = await openPushService('web')
  const { databaseUrl } = large.service
  const service = await startService(`${scratch}/away`, {
    beside: large.service,
    databaseUrl,
    env: { PUSH_PRIVATE_ORIGINS: provider.origin, NODE_EXTRA_CA_CERTS: authorityFile },
  })
  const alone = await openRoom(service, large.db, { guests: 0, muted: false })
  const full = await openRoom(service, large.db, { guests: away, muted: false })
  await each(service.port, full.guests, token =>
    httpRequest('POST', '/api/account/device', {
      token,
      type: 'application/json',
      body: JSON.stringify({
        push_endpoint: `${provider.origin}/push/${randomBytes(8).toString('hex')}`,
        push_p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
        push_auth: randomBytes(16).toString('base64url'),
      }),
    }),
  )
  const [line] = await openLines(service.port, 1)
  const sending = (room: Room): Side => {
    const request = httpRequest('POST', '/api/message', {
      token: room.maker,
      type: formType,
      body: form({ group_chat_id: room.chat, message_content: 'Who brings the cake?' }),
    })
    return {
      async run(seconds) {
        await untilIdle(large.db)
        const took: number[] = []
        for (const began = performance.now(); performance.now() - began < seconds * 1000; await sleep(pauseMs)) {
          const sentAt = performance.now()
          if (line) await ask(line, request)
          took.push(performance.now() - sentAt)
        }
        return { p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
      },
    }
  }
  return {
    goals: [
      {
        id: 'P32',
        work: `POST message to ${away} members who are away, one each ${pauseMs} ms, p50`,
        ceiling: 'to nobody',
        figure: 'p50',
        floor: 1.15,
        aim: 1.05,
      },
    ],
    ceiling: sending(alone),
    ours: sending(full),
    async end() {
      line?.close()
      await service.stop()
      provider.close()
    },
  }
}

const idleWithinMs = 60_000

/** What the last round left to do must not be this round's. */
const untilIdle = async (db: Client) => {
  const givesUpAt = performance.now() + idleWithinMs
  while (performance.now() < givesUpAt) {
    const { rows } = await db.query('select count(*)::int as waiting from jobs where run_at <= now()')
    if (rows[0].waiting === 0) return
    await sleep(100)
  }
}
