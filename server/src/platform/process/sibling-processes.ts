import cluster, { type Worker } from 'node:cluster'

/**
 * The other processes behind the same port, and what the supervisor knows about all of them; nobody waits long, because
 * all are on one machine.
 */
export type SiblingProcesses = {
  /** Tells every other process that listens on a channel. */
  publish(channel: string, message: string): void
  listen(channel: string, listener: (message: string) => void): void
  /** Tells the supervisor, which stores it. */
  note(what: string, fact: unknown): void
  ask<Answer>(what: string, question: unknown): Promise<Answer>
}

type News = { neighbours: 'news'; channel: string; message: string }
type Note = { neighbours: 'note'; what: string; fact: unknown }
type Question = { neighbours: 'question'; id: number; what: string; question: unknown }
type Answer = { neighbours: 'answer'; id: number; answer: unknown }
type ProcessMessage = News | Note | Question | Answer

const isSaid = (message: unknown): message is ProcessMessage =>
  typeof message === 'object' && message !== null && 'neighbours' in message

/** undefined: this process serves alone. */
export const openSiblings = (): SiblingProcesses | undefined => {
  if (!cluster.isWorker) return undefined
  const waiting = new Map<number, (answer: unknown) => void>()
  const listeners = new Map<string, (message: string) => void>()
  let asked = 0
  const say = (said: ProcessMessage) => process.connected && process.send?.(said)
  process.on('message', message => {
    if (!isSaid(message)) return
    if (message.neighbours === 'news') listeners.get(message.channel)?.(message.message)
    if (message.neighbours !== 'answer') return
    waiting.get(message.id)?.(message.answer)
    waiting.delete(message.id)
  })
  return {
    publish: (channel, message) => void say({ neighbours: 'news', channel, message }),
    listen: (channel, listener) => void listeners.set(channel, listener),
    note: (what, fact) => void say({ neighbours: 'note', what, fact }),
    ask(what, question) {
      asked += 1
      const id = asked
      say({ neighbours: 'question', id, what, question })
      return new Promise(resolve => waiting.set(id, resolve as (answer: unknown) => void))
    },
  }
}

/** Facts that the supervisor stores for all processes, by name. */
export type Memory = {
  note(from: number, fact: unknown): void
  answer(question: unknown): unknown
  /** A process is gone, along with what it reported about itself. */
  forget(from: number): void
}

/** In the supervisor: relays messages among its processes, and keeps what they report. */
export const openNeighbourhood = (memories: Readonly<Record<string, Memory>>) => {
  const living = new Set<Worker>()
  return {
    add(worker: Worker) {
      living.add(worker)
      worker.on('message', (message: unknown) => {
        if (!isSaid(message)) return
        if (message.neighbours === 'news') for (const other of living) if (other !== worker) tell(other, message)
        if (message.neighbours === 'note') memories[message.what]?.note(worker.id, message.fact)
        if (message.neighbours !== 'question') return
        const { id, what, question } = message
        tell(worker, { neighbours: 'answer', id, answer: memories[what]?.answer(question) })
      })
      worker.once('exit', () => {
        living.delete(worker)
        for (const memory of Object.values(memories)) memory.forget(worker.id)
      })
    },
  }
}

const tell = (worker: Worker, said: ProcessMessage) => worker.isConnected() && worker.send(said)
