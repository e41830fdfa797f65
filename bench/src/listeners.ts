import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Void } from './figures.ts'
import { type Frame, maskedFrame, readFrames, upgrade } from './frames.ts'

/*
 * Cheap sockets for the channel: they read only the head and first bytes of a frame, because the real client would use
 * more of the two cores than the measured server.
 */

export type Listeners = {
  /** Resolves when every socket has received this many more of the awaited frames; throws Void on timeout. */
  hear(frames: number): Promise<void>
  /** The text of the first awaited frame. */
  sample(): string
  close(): Promise<void>
}

type One = {
  port: number
  token: string
  frame: Frame
  /** The server greets each signed-in socket, as Socket.IO does. */
  greeted?: boolean
}
type Many = Omit<One, 'token' | 'frame'> & {
  /** Opens one socket per token. */
  tokens: readonly string[]
  /** The number of connections opened concurrently. */
  atOnce?: number
}

/** The beginning of a new message's frame. */
const awaited = '42["message.created"'
const comesWithinMs = 20_000
const pong = '3'
const refused = '44'

/** Resolves when the server has admitted it; throws Void if it does not. */
export const openListener = async ({ port, token, frame, greeted = true }: One): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.write(upgrade)
  await new Promise<void>((opened, reject) => {
    socket.once('close', () => reject(new Void('a listener was not let in')))
    const begins = (text: string, bytes: Buffer, start: number) =>
      bytes.toString('latin1', start, start + text.length) === text
    readFrames(socket, {
      upgraded: () => (greeted ? socket.write(maskedFrame(`40${JSON.stringify({ token })}`)) : opened()),
      frame(bytes, start, end) {
        if (end - start === 1) socket.write(maskedFrame(pong))
        else if (greeted && begins('42["ready"', bytes, start)) opened()
        else if (begins(refused, bytes, start)) socket.destroy()
        else frame(bytes, start, end)
      },
    })
  })
  return socket
}

export const openListeners = async ({ tokens, atOnce = 50, ...each }: Many): Promise<Listeners> => {
  let [heard, target, sample] = [0, Number.POSITIVE_INFINITY, '']
  let reached = () => {}
  const frame: Frame = (bytes, start, end) => {
    if (bytes.toString('latin1', start, start + awaited.length) !== awaited) return
    sample ||= bytes.toString('utf8', start, end)
    heard += 1
    if (heard >= target) reached()
  }
  const sockets: Socket[] = []
  for (let from = 0; from < tokens.length; from += atOnce) {
    const some = tokens.slice(from, from + atOnce)
    sockets.push(...(await Promise.all(some.map(token => openListener({ ...each, token, frame })))))
  }
  return {
    async hear(frames) {
      target = heard + frames * tokens.length
      const late = new AbortController()
      const all = new Promise<void>(resolve => {
        reached = resolve
      })
      const tooLate = sleep(comesWithinMs, null, { signal: late.signal }).then(() => {
        throw new Void(`${target - heard} deliveries of ${frames * tokens.length} did not come`)
      })
      tooLate.catch(() => {})
      await Promise.race([all, tooLate]).finally(() => late.abort())
    },
    sample: () => sample,
    async close() {
      for (const socket of sockets) socket.destroy()
      await sleep(100)
    },
  }
}
