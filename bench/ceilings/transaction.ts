import { randomBytes } from 'node:crypto'
import { chance, oneOf } from '../src/statistics.ts'
import { given, workWhenAsked } from './ceiling.ts'
import { inParallel } from './parallel.ts'
import { sendText } from './send-text.ts'
import { prepareOn } from './wire.ts'

/** What pgbench would do: so many connections that send one message each, one prepared statement and one commit. */
const { databaseUrl = '', clients = '1', members = '[]', seed = '1' } = given
const places: [chat: number, user: number][] = JSON.parse(members)
const random = chance(Number(seed))
const connections = await Promise.all(Array.from({ length: Number(clients) }, () => prepareOn(databaseUrl, sendText)))
workWhenAsked(seconds =>
  inParallel(connections.length, seconds, lane => {
    const [chat, user] = oneOf(places, random)
    return (connections[lane] as (typeof connections)[number]).run([
      `${chat}`,
      `${user}`,
      'See you at eight by the lake, bring a jacket',
      `\\x${randomBytes(16).toString('hex')}`,
    ])
  }),
)
