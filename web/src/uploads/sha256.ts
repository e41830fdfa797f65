/** After this time without a hash to compute, the worker's memory is released. */
const idleMs = 30_000

type PendingHash = { resolve(sum: string): void; reject(fault: Error): void }

let worker: Worker | undefined
let ending: ReturnType<typeof setTimeout> | undefined
const waiting = new Map<number, PendingHash>()
let last = 0

/** The SHA-256 of a file, in hexadecimal. Rejects if it cannot be read, or without workers. */
export const sha256Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    worker ??= begin()
    clearTimeout(ending)
    last += 1
    waiting.set(last, { resolve, reject })
    worker.postMessage({ id: last, file })
  })

const begin = () => {
  const begun = new Worker(new URL('./sha256-worker.ts', import.meta.url), { type: 'module' })
  begun.onmessage = ({ data: { id, sum } }: MessageEvent<{ id: number; sum?: string }>) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (sum) asked?.resolve(sum)
    else asked?.reject(new Error('The file cannot be read'))
    if (waiting.size === 0) ending = setTimeout(end, idleMs)
  }
  begun.onerror = end
  return begun
}

const end = () => {
  worker?.terminate()
  worker = undefined
  for (const { reject } of waiting.values()) reject(new Error('The worker ended'))
  waiting.clear()
}
