import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Makes a process of ours collect its garbage now, through the inspector that SIGUSR1 opens in it. */
export const collectGarbage = async ({ server, logFile }: { server: number; logFile: string }): Promise<void> => {
  process.kill(server, 'SIGUSR1')
  const socket = new WebSocket(await inspectorIn(logFile))
  await once(socket, 'open')
  for (const id of [1, 2]) {
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
    await once(socket, 'message')
  }
  socket.close()
}

/** After half an hour the log is longer than a string may be. */
const endOfLog = 64 * 1024

const inspectorIn = async (logFile: string): Promise<string> => {
  await using log = await open(logFile)
  for (let tries = 0; tries < 200; tries++) {
    const position = Math.max(0, (await log.stat()).size - endOfLog)
    const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(endOfLog), position })
    const url = buffer
      .toString('utf8', 0, bytesRead)
      .match(/ws:\/\/\S+/g)
      ?.at(-1)
    if (url) return url
    await sleep(10)
  }
  throw new Error('The service opens no inspector.')
}
