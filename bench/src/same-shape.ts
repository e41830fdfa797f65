import { Void } from './figures.ts'
import { headersOf } from './load.ts'

/**
 * Proves that a ceiling does the same work: its reply to a path says what ours says, but for URLs, whose signatures
 * differ. Throws Void at the first difference.
 */
export const demandSameReply = async (ports: { ceiling: number; ours: number }, path: string, token: string) => {
  const [theirs, ours] = await Promise.all([ports.ceiling, ports.ours].map(port => read(port, path, token)))
  const difference = firstDifference(theirs, ours, 'reply')
  if (difference) throw new Void(`the ceiling's ${difference}`)
}

/** Proves that a list is as long as the row says: a fast empty page is no page. */
export const demandItems = async (port: number, path: string, token: string, least: number) => {
  const { data } = (await read(port, path, token)) as { data: unknown[] }
  if (data.length < least) throw new Void(`${path} has ${data.length} items instead of ${least}`)
}

const read = async (port: number, path: string, token: string): Promise<unknown> => {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: headersOf(token) })
  if (reply.status !== 200) throw new Void(`${path} was answered ${reply.status}: ${await reply.text()}`)
  return reply.json()
}

const firstDifference = (theirs: unknown, ours: unknown, at: string): string | null => {
  if (typeof ours === 'string' && ours.startsWith('http')) return typeof theirs === 'string' ? null : `${at} is no URL`
  if (typeof ours !== 'object' || ours === null || typeof theirs !== 'object' || theirs === null)
    return theirs === ours ? null : `${at} is ${JSON.stringify(theirs)}, ours ${JSON.stringify(ours)}`
  const keys = new Set([...Object.keys(theirs), ...Object.keys(ours)])
  for (const key of keys) {
    const of = (whole: object) => (whole as Record<string, unknown>)[key]
    const difference = firstDifference(of(theirs), of(ours), `${at}.${key}`)
    if (difference) return difference
  }
  return null
}
