import { deepStrictEqual } from 'node:assert/strict'
import { Void } from './figures.ts'
import { headersOf } from './load.ts'

/**
 * Proves that a ceiling does the same work: its reply equals ours but for URLs, whose signatures differ. Throws Void
 * otherwise.
 */
export const demandSameReply = async (ports: { ceiling: number; ours: number }, path: string, token: string) => {
  const [theirs, ours] = await Promise.all([ports.ceiling, ports.ours].map(port => read(port, path, token)))
  try {
    deepStrictEqual(withoutUrls(theirs), withoutUrls(ours))
  } catch (fault) {
    throw new Void(`the ceiling's reply differs: ${(fault as Error).message.replaceAll('\n', ' ')}`)
  }
}

/** Proves that a list has the stated length: a fast empty page is no page. */
export const demandItems = async (port: number, path: string, token: string, least: number) => {
  const { data } = (await read(port, path, token)) as { data: unknown[] }
  if (data.length < least) throw new Void(`${path} has ${data.length} items instead of ${least}`)
}

const read = async (port: number, path: string, token: string): Promise<unknown> => {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: headersOf(token) })
  if (reply.status !== 200) throw new Void(`${path} was answered ${reply.status}: ${await reply.text()}`)
  return reply.json()
}

const withoutUrls = (reply: unknown) =>
  JSON.parse(JSON.stringify(reply), (_, value) => (String(value).startsWith('http') ? 'a URL' : value))
