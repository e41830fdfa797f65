import { once } from 'node:events'
import { startProgram } from './program.ts'

/** Starts the server bench/ceilings/<name>.ts and waits until it reports its port. */
export const startCeiling = async (name: string, given: Record<string, unknown> = {}) => {
  const path = new URL(`../ceilings/${name}.ts`, import.meta.url).pathname
  const { child, pid, stop } = startProgram([path], { GIVEN: JSON.stringify(given) }, 'messages')
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`The ceiling ${name} ended.`)))
  const [port] = (await Promise.race([once(child, 'message'), ended])) as [number]
  ended.catch(() => {})
  /** Broadcasts the text this many times to everybody. */
  const send = (times: number) => void child.send({ times })
  return { server: pid, port, send, stop }
}
