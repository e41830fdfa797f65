import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Guest, invite } from './crowd.ts'
import { type Ask, askerOf } from './http.ts'
import { randomOf } from './random.ts'
import { percentile } from './report.ts'
import { openVenue, type Place } from './venue.ts'

export type BusyChat = Place & { clients: readonly number[]; seconds: number; seed: number; signal: AbortSignal }
/** Of others, beside so many clients of one chat, in milliseconds. */
export type Beside = { clients: number; reads: number[]; sends: number[]; faults: string[] }

const othersCount = 10
const pauseMs = 200
const settleMs = 2000

/** What others wait for, each in an event of their own, while clients of one chat write as fast as they are answered. */
export const watchOthers = async ({ clients, seconds, seed, signal, ...place }: BusyChat): Promise<Beside[]> => {
  await using venue = await openVenue(place)
  const { ask, close } = askerOf(() => venue.url)
  await using closing = new AsyncDisposableStack()
  closing.defer(close)
  const random = randomOf(seed).of('busy chat')
  const others: Guest[] = []
  const busy: Guest[] = []
  await invite(ask, others, othersCount, random, 1)
  await invite(ask, busy, Math.max(...clients), random, Number.POSITIVE_INFINITY)
  const all: Beside[] = []
  for (const count of [0, ...clients]) {
    if (signal.aborted) break
    const workerData = {
      url: venue.url,
      chatId: busy[0]?.chatId,
      tokens: busy.slice(0, count).map(({ token }) => token),
    }
    const load = new Worker(new URL('./busy-chat-load.ts', import.meta.url), { workerData })
    await sleep(settleMs)
    const beside: Beside = { clients: count, reads: [], sends: [], faults: [] }
    const endsAt = performance.now() + seconds * 1000
    await Promise.all(
      others.map(async other => {
        while (performance.now() < endsAt && !signal.aborted) {
          await act(ask, other, beside)
          await sleep(pauseMs)
        }
      }),
    )
    await load.terminate()
    all.push(beside)
  }
  return all
}

const act = async (ask: Ask, { token, chatId }: Guest, { reads, sends, faults }: Beside) => {
  const timed = async (into: number[], method: string, path: string, asking: object) => {
    const began = performance.now()
    const reply = await ask(method, path, { token, ...asking }).catch((fault: Error) => fault)
    into.push(performance.now() - began)
    if (reply instanceof Error) faults.push(reply.message)
    else if (reply.status >= 400) faults.push(`${method} ${path.split('?')[0]} answered ${reply.status}`)
  }
  await timed(sends, 'POST', 'api/message', { form: { group_chat_id: chatId, message_content: 'a message of others' } })
  await timed(reads, 'GET', `api/message/list?group_chat_id=${chatId}&page=1&page_length=50`, {})
}

export const besideTable = (all: readonly Beside[]): string => {
  const both = (times: readonly number[]) =>
    [0.5, 0.99].map(share => `${percentile(times, share).toFixed(0)} ms`).join(' / ')
  const rows = all.map(
    ({ clients, reads, sends, faults }) =>
      `| ${clients} | ${sends.length} | ${both(sends)} | ${both(reads)} | ${faults.length} ${faults[0] ?? ''} |`,
  )
  return [
    '| Clients of the busy chat | Sends of others | of them p50 / p99 | Reads p50 / p99 | Failed |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
