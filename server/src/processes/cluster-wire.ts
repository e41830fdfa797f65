import type { Worker } from 'node:cluster'

/*
 * The only file that reads what Node's cluster and its processes say to each other. It was written for these major
 * versions of Node; cluster-wire.test.ts names each message and checks that it is still what is expected.
 */
export const writtenFor = [24]

type Connection = { close(): void }
/** The message that accompanies a connection, and the acknowledgement once the process has it. */
type Handed = { act: 'newconn'; seq: number }
type Taken = { ack: number }

const isHanded = (message: Partial<Handed>): message is Handed => message.act === 'newconn'
const isTaken = (message: Partial<Taken>): message is Taken => message.ack !== undefined

/**
 * A connection handed to a process that died before accepting it would stay open with nobody behind it, because Node's
 * cluster forgets it: clients that connected within a millisecond of a kill waited for ever.
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
