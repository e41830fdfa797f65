import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import { livingPostmaster } from '../src/platform/embedded-database/postmaster.ts'
import { readState } from '../src/processes/state.ts'
import { enter, type Member } from './cast.ts'
import { listen } from './channel.ts'
import { command } from './command.ts'
import { later } from './later.ts'
import { newFolder } from './new-folder.ts'
import { type Node, openNodes } from './nodes.ts'
import { bringIn, evening } from './party.ts'

const folder = newFolder('several')
const AFTERGLOW_ENV = join(folder, 'settings')
writeFileSync(AFTERGLOW_ENV, '')

// Uses the compile cache as npm start does: each process would compile everything anew.
const { first, again } = await openNodes({ PROCESSES: '2', AFTERGLOW_ENV })
let olivia: Member
let group_chat_id = ''
beforeAll(async () => {
  olivia = await enter(first as unknown as Parameters<typeof enter>[0], 'olivia')
  group_chat_id = String((await olivia.api.events.saveEvent(evening())).group_chat_id)
})

const processes = ({ dataDir }: Node = first) => readState(dataDir)?.processes ?? []
const afterglow = (...args: string[]) => command({ DATA_DIR: first.dataDir }, args)
const everybodyServes = () =>
  vi.waitFor(() => expect(processes().filter(pid => pid !== null)).toHaveLength(2), { timeout: 200_000 })
const lives = (pid: number) => existsSync(`/proc/${pid}`)

type Answer = { status: number; text: string; remaining: number } | { fault: string }

/** Connects as apps and proxies do: with keep-alive, and without retries. */
const openClient = () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const say = async (message_content: string): Promise<Answer> => {
    const body = JSON.stringify({ group_chat_id, message_content })
    const headers = { authorization: `Bearer ${olivia.token}`, 'content-type': 'application/json' }
    try {
      const signal = AbortSignal.timeout(60_000)
      const asking = request(`${first.url}/api/message`, { agent, method: 'POST', headers, signal }).end(body)
      const [answer] = await once(asking, 'response')
      const remaining = Number(answer.headers['x-ratelimit-remaining'])
      return { status: answer.statusCode, text: await text(answer), remaining }
    } catch (fault) {
      return { fault: String(fault) }
    }
  }
  return { say, close: () => agent.destroy() }
}

/** Each of some clients sends messages one after the other until told to stop; returns the answers to each. */
const talk = (who: string) => {
  const answers = new Map<string, Answer>()
  let going = true
  const clients = Array.from({ length: 6 }, openClient)
  const talking = clients.map(async ({ say, close }, client) => {
    for (let nth = 0; going; nth++) {
      const words = `${who} ${client}.${nth}`
      answers.set(words, await say(words))
      await sleep(25)
    }
    close()
  })
  return {
    async stop() {
      going = false
      await Promise.all(talking)
      return answers
    },
  }
}

/**
 * Clients that send as fast as they get answers, and reconnect at once after a cut. Resolves to the number of
 * unanswered requests.
 */
const eager = (count: number) => {
  let going = true
  const asking = Array.from({ length: count }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let vain = 0
    while (going) {
      const signal = AbortSignal.timeout(20_000)
      const asked = request(`${first.url}/healthz`, { agent, signal }).end()
      await once(asked, 'response')
        .then(([answer]) => text(answer))
        .catch(() => {})
      if (signal.aborted) vain += 1
    }
    agent.destroy()
    return vain
  })
  return {
    async stop() {
      going = false
      return (await Promise.all(asking)).reduce((sum, vain) => sum + vain, 0)
    },
  }
}

const acknowledged = (answers: ReadonlyMap<string, Answer>) =>
  [...answers].filter(([, answer]) => 'status' in answer && answer.status === 200).map(([words]) => words)

const kept = async (from: string) => {
  const all: string[] = []
  for (let page = 1; ; page++) {
    const { data, next_page_url } = await olivia.api.chats.listMessages({ group_chat_id, page, page_length: 100 })
    all.push(...data.map(({ message_content }) => message_content))
    if (next_page_url === null) return all.filter(words => words.startsWith(from))
  }
}

test('several processes count limits together, and each announces events missing from the log', async () => {
  await everybodyServes()
  // Connections are distributed in turn, so two open at once lead to two processes.
  const clients = [openClient(), openClient()]
  const left: number[] = []
  for (let nth = 0; nth < 6; nth++) {
    const answer = (await clients[nth % 2]?.say(`counted ${nth}`)) as { remaining: number }
    left.push(answer.remaining)
    await sleep(200)
  }
  for (const { close } of clients) close()
  const [before = 0] = left
  expect(left).toEqual(left.map((_, nth) => before - nth))

  const gus = await enter(first as unknown as Parameters<typeof enter>[0], 'gus')
  const { id: event_id, group_chat_id: chat } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  const listener = await listen(first, gus)
  for (let nth = 1; nth <= 4; nth++) {
    const headers = { authorization: `Bearer ${olivia.token}`, connection: 'close' }
    const said = await fetch(`${first.url}/api/message/typing/${chat}`, { method: 'PUT', headers })
    expect(said.status).toBe(200)
    await vi.waitFor(() => expect(listener.of('typing')).toHaveLength(nth), { timeout: 60_000 })
  }
})

test('restarting several processes by the command line loses no request, and listeners miss nothing', {
  tags: 'slow',
  timeout: 300_000,
}, async () => {
  await everybodyServes()
  const before = processes()
  const listener = await listen(first, olivia)
  const talking = talk('rolling')
  await sleep(300)
  const said = await afterglow('restart')
  await sleep(300)
  const answers = await talking.stop()

  expect(said).toMatchObject({ code: 0, out: '2 processes were restarted.' })
  expect(said.err.split('\n')[0]).toBe('0 of 2 replaced; the next one starts')
  expect(said.err).toMatch(/^1 of 2 replaced; /m)
  expect(processes().filter(pid => before.includes(pid))).toEqual([])
  expect(before.filter(pid => pid !== null && lives(pid))).toEqual([])
  expect([...answers.values()].filter(answer => !('status' in answer) || answer.status !== 200)).toEqual([])
  expect((await kept('rolling')).sort()).toEqual([...answers.keys()].sort())
  await vi.waitFor(
    () =>
      expect(new Set(listener.of('message.created').map(({ message_content }) => message_content))).toEqual(
        new Set(answers.keys()),
      ),
    { timeout: 60_000 },
  )
})

test('a killed process is restarted, the others answer, and acknowledged messages exist once', {
  timeout: 300_000,
}, async () => {
  await everybodyServes()
  const [victim, other] = processes() as [number, number]
  const who = `killed ${victim}`
  const [talking, asking] = [talk(who), eager(40)]
  await sleep(300)
  process.kill(victim, 'SIGKILL')
  await vi.waitFor(() => expect(processes()).toEqual([null, other]), { timeout: 60_000 })
  await sleep(500)
  const [answers, vain] = await Promise.all([talking.stop(), asking.stop()])
  await everybodyServes()
  expect(vain).toBe(0)
  expect(processes()).toEqual([expect.any(Number), other])
  expect(processes()[0]).not.toBe(victim)

  const there = await kept(who)
  expect(new Set(there).size).toBe(there.length)
  expect(there).toEqual(expect.arrayContaining(acknowledged(answers)))
  expect([...answers.values()].filter(answer => 'status' in answer && answer.status !== 200)).toEqual([])
})

test('a restart reports invalid new settings, and the old processes continue', async () => {
  await everybodyServes()
  const before = processes()
  writeFileSync(AFTERGLOW_ENV, 'PHOTO_MB_MAX=many\n')
  expect(await afterglow('restart')).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /\nThe new processes do not start, and those that were there go on: PHOTO_MB_MAX is "many", but must be a whole number from 1 to 1024\.$/,
    ),
  })
  writeFileSync(AFTERGLOW_ENV, '')
  expect(processes()).toEqual(before)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
}, 300_000)

test('several processes told to stop finish their requests, and stop the database', async () => {
  await everybodyServes()
  const pids = processes() as number[]
  const talking = talk('stopping')
  await sleep(300)
  const gone = later(first.stop())
  await sleep(300)
  const answers = await talking.stop()
  expect(await gone).toEqual([0, null])
  expect([...answers.values()].filter(answer => !('status' in answer) || answer.status !== 200)).toEqual([])
  expect(pids.filter(lives)).toEqual([])
  expect(livingPostmaster(join(first.dataDir, 'postgres', 'cluster'))).toBeNull()
  expect(readState(first.dataDir)).toBeNull()
  expect(await afterglow('restart')).toMatchObject({
    code: 1,
    err: `No Afterglow runs in ${first.dataDir}: DATA_DIR names it.`,
  })
}, 300_000)

test('killing the supervisor ends all processes, and the next start serves their data', {
  tags: 'slow',
  timeout: 300_000,
}, async () => {
  const next = await again(first, { DATABASE_URL: '' })
  const pids = processes(next) as number[]
  await next.kill()
  await vi.waitFor(() => expect(pids.filter(lives)).toEqual([]), { timeout: 60_000 })
  const last = await again(first, { DATABASE_URL: '', PROCESSES: '1' })
  expect((await last.as(olivia.token).accounts.readAccount()).id).toBe(olivia.id)
  expect(await afterglow('restart')).toMatchObject({
    code: 1,
    err: expect.stringContaining('This Afterglow is one process'),
  })
})
