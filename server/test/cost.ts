import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

/** All that one source may ask of one address in a minute costs the process no more than ten seconds. */
export const msPerMinuteMax = 10_000
const times = 8

/** Sends a phone's request, without the cost of reading the answer. */
const statusOf = async (url: string, token?: string) => {
  const headers = { 'accept-encoding': 'br, gzip', accept: 'text/html, */*' }
  const asked = get(url, { headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) } })
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  await once(reply.resume(), 'end')
  return reply.statusCode ?? 0
}

type Asked = { url: string; perMinute: number; token?: string; first?: (() => Promise<unknown>) | undefined }

/**
 * Returns the CPU milliseconds that this process spends on a minute's limit of requests, without those of PostgreSQL.
 * It takes the median of a few, because some of them collect garbage.
 */
export const msPerMinute = async ({ url, perMinute, token, first }: Asked): Promise<number> => {
  const costs: number[] = []
  for (let n = 0; n <= times; n += 1) {
    await first?.()
    const began = process.cpuUsage()
    const status = await statusOf(url, token)
    const { user, system } = process.cpuUsage(began)
    if (status >= (token ? 300 : 500)) throw new Error(`${url} answered ${status}`)
    if (n > 0) costs.push((user + system) / 1000)
  }
  return perMinute * (costs.sort((a, b) => a - b)[times / 2] ?? 0)
}
