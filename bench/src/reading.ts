import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** A thread of rows/transfers.ts: told for how many seconds, reads an address again and again, and tells each status. */
const { url, atOnce } = workerData as { url: string; atOnce: number }

const read = async (): Promise<number | undefined> => {
  const asked = request(url).end()
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  await once(reply.resume(), 'end')
  return reply.statusCode
}

parentPort?.on('message', async (seconds: number) => {
  const statuses: (number | undefined)[] = []
  const reader = async () => {
    for (const began = performance.now(); performance.now() - began < seconds * 1000; ) statuses.push(await read())
  }
  await Promise.all(Array.from({ length: atOnce }, reader))
  parentPort?.postMessage(statuses)
})
