import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export type NameServer = { address: string; close(): void }

/** A DNS server on loopback that resolves these names to their IPv4 addresses and denies every other. */
export async function openNameServer(names: Record<string, string[]>): Promise<NameServer> {
  const server = createSocket('udp4', (query, { port }) => server.send(answerTo(query, names), port, '127.0.0.1'))
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  return { address: `127.0.0.1:${server.address().port}`, close: () => void server.close() }
}

/** RFC 1035: the query's id and question, then its A records. */
function answerTo(query: Buffer, names: Record<string, string[]>): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const known = names[labelsOf(question).join('.').toLowerCase()]
  const asksForAddresses = question.readUInt16BE(question.length - 4) === 1
  const addresses = asksForAddresses ? (known ?? []) : []
  const records = addresses.map(address => [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
  const head = [...query.subarray(0, 2), 0x81, known ? 0x80 : 0x83, 0, 1, 0, addresses.length, 0, 0, 0, 0]
  return Buffer.from([...head, ...question, ...records.flat()])
}

function labelsOf(question: Buffer): string[] {
  const labels: string[] = []
  for (let at = 0, length = question[0] ?? 0; length > 0; at += 1 + length, length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
  }
  return labels
}
