import { randomUUID } from 'node:crypto'

/** The connection to other processes. */
export type OtherProcesses = {
  publish(channel: string, message: string): void
  listen(channel: string, listener: (message: string) => void): void
}

type WakeUpOptions = {
  /** The placeholder in this process's payloads for the origin of each socket. */
  anyOrigin: string
  others: OtherProcesses | undefined
  wake(): void
  whisper(kind: string, payload: unknown, userIds: readonly number[]): void
}

const wakeChannel = 'afterglow:nudge'
const whisperChannel = 'afterglow:whisper'
/** Commits of one moment are one signal to the others. */
const gatherMs = 2

const name = randomUUID()

/**
 * Messages between processes. They may get lost: the log is read every 200 ms anyway, and transient events are
 * dispensable.
 */
export const openWakeUps = ({ anyOrigin, others, wake, whisper }: WakeUpOptions) => {
  let gathering = false
  others?.listen(wakeChannel, wake)
  others?.listen(whisperChannel, message => {
    const { from, origin } = JSON.parse(message)
    if (from === name) return
    const { kind, payload, to } = JSON.parse(message.replaceAll(origin, anyOrigin))
    whisper(kind, payload, to)
  })
  return {
    wakeAll() {
      wake()
      if (!others || gathering) return
      gathering = true
      setTimeout(() => {
        gathering = false
        others.publish(wakeChannel, '')
      }, gatherMs)
    },
    whisperAll(kind: string, payload: unknown, to: readonly number[]) {
      whisper(kind, payload, to)
      others?.publish(whisperChannel, JSON.stringify({ from: name, origin: anyOrigin, kind, payload, to }))
    },
  }
}
