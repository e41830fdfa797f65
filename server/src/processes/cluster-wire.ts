import type { Worker } from 'node:cluster'

/*
 * The only file that reads what Node's cluster and its processes say to each other. It was written for these major versions
 * of Node; cluster-wire.test.ts names each message and finds out whether it still is what is expected of it.
 */
export const writtenFor = [24]

type Connection = { close(): void }
/** What is sent with a connection, and what answers it once the process has it. */
type Handed = { act: 'newconn'; seq: number }
type Taken = { ack: number }

const isHanded = (message: Partial<Handed>): message is Handed => message.act === 'newconn'
const isTaken = (message: Partial<Taken>): message is Taken => message.ack !== undefined

/**
 * A connection that was handed to a process which died before it took it would stay open with nobody behind it: whoever
 * came back within a millisecond of a kill waited for ever, as Node's cluster forgets it.
 */
export function closeUntaken({ process: child }: Worker): void {
  const untaken = new Map<number, Connection>()
  const send = child.send.bind(child) as (...parts: unknown[]) => boolean
  child.send = (...parts: unknown[]) => {
    const [message, connection] = parts as [object, Connection | undefined]
    if (isHanded(message) && connection) untaken.set(message.seq, connection)
    return send(...parts)
  }
  child.on('internalMessage', (message: object) => {
    if (isTaken(message)) untaken.delete(message.ack)
  })
  child.once('exit', () => {
    for (const connection of untaken.values()) connection.close()
  })
}
