import { url as inspectorUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'

/**
 * Ends this process if its event loop has stood still for this long: nothing else could, and requests wait meanwhile. A
 * supervisor starts another, and the job that caused it counts a death. A debugger may stop it.
 */
export const watchEventLoop = (seconds = 60): void => {
  if (inspectorUrl() !== undefined) return
  const beats = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => Atomics.add(beats, 0, 1), 1000).unref()
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 }
  new Worker(program, { eval: true, execArgv: [], workerData: { beats, seconds }, resourceLimits }).unref()
}

/** It counts its own seconds, so a suspended machine does not count as a standstill. */
const program = `
  const { workerData: { beats, seconds } } = require('node:worker_threads')
  let last = -1
  let still = 0
  setInterval(() => {
    const now = Atomics.load(beats, 0)
    still = now === last ? still + 1 : 0
    last = now
    if (still < seconds) return
    require('node:fs').writeSync(2, 'The event loop has stood still for ' + seconds + ' s: this process ends itself.\\n')
    process.kill(process.pid, 'SIGKILL')
  }, 1000)
`
