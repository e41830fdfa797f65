import autocannon from 'autocannon'
import { type LoadResult, type Side, Void } from './figures.ts'
import { type MeteredProcesses, meteredSide } from './meter.ts'
import { quantile } from './statistics.ts'

/** One request as our client makes it, without the common headers. */
export type Request = {
  path: string
  token?: string
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  key?: string
  json?: unknown
}

export type Load = {
  port: number
  connections: number
  next(): Request
  /** Ends after this many replies, regardless of time. */
  amount?: number
}

const timeoutSeconds = 60
/** autocannon's polling interval for the end of a run. */
const lookMs = 50

export const headersOf = (token?: string) => ({
  'Accept-Encoding': 'br',
  ...(token && { Authorization: `Bearer ${token}` }),
})

export const asSent = ({ path, token, method = 'GET', key, json }: Request) => ({
  method,
  path,
  headers: {
    ...headersOf(token),
    ...(key && { 'Idempotency-Key': key }),
    ...(json !== undefined && { 'Content-Type': 'application/json' }),
  },
  body: json === undefined ? '' : JSON.stringify(json),
})

/** Keeps every connection busy with one request at a time for this many seconds. Throws Void at the first failure. */
export const load = async ({ port, connections, next, amount }: Load, seconds: number): Promise<LoadResult> => {
  const latencies: number[] = []
  let fault = ''
  const began = performance.now()
  await new Promise(ended => {
    let asked = 0
    const ask = () => {
      // autocannon reopens closed connections without reporting the requests lost with them.
      if (++asked > latencies.length + connections) {
        fault ||= 'the connection was closed'
        running.stop()
      }
      return asSent(next())
    }
    const running = autocannon(
      {
        url: `http://127.0.0.1:${port}`,
        connections,
        ...(amount ? { amount } : { duration: timeoutSeconds + seconds }),
        sampleInt: lookMs,
        timeout: timeoutSeconds,
        bailout: 1,
        requests: [{ setupRequest: request => ({ ...request, ...ask() }) }],
      },
      ended,
    )
    running.on('response', (_client, status, _bytes, took) => {
      if (status === 200 || status === 201) return void latencies.push(took)
      fault ||= `was answered ${status}`
      running.stop()
    })
    // Waits for at least one reply, however slow the machine is.
    const isOver = () => performance.now() - began >= seconds * 1000 && latencies.length > 0
    const looking = setInterval(() => !amount && isOver() && running.stop(), lookMs)
    running.on('done', () => clearInterval(looking))
    running.on('reqError', broken => {
      fault ||= `the connection broke: ${broken.message}`
    })
  })
  if (fault) throw new Void(fault)
  if (latencies.length === 0) throw new Void('nothing was answered')
  return {
    operations: latencies.length,
    seconds: (performance.now() - began) / 1000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

/** Warms up compilation and caches: this many operations, or as many as fit into these seconds. */
const warmUp = { operations: 1500, secondsLeast: 1, secondsMost: 3 }

/** Runs one round of load on a server and meters the cost of an operation. */
export const httpSide = (given: Load, metered: MeteredProcesses): Side => ({
  ...meteredSide(metered, seconds => load(given, seconds)),
  async warm() {
    for (let [operations, seconds] = [0, 0]; seconds < warmUp.secondsMost; ) {
      const loaded = await load(given, warmUp.secondsLeast)
      operations += loaded.operations
      seconds += loaded.seconds
      if (operations >= warmUp.operations) return
    }
  },
})
