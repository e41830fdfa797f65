import { Worker } from 'node:worker_threads'
import type { Answer, Task } from './encryption-worker.ts'

export type Encryption = {
  /** The encrypted body of a push (RFC 8291), null for invalid keys. Rejects if the thread ends. */
  encrypt(task: Task): Promise<Uint8Array<ArrayBuffer> | null>
  close(): Promise<void>
}

type Waiting = { task: Task; done(body: Answer[number]): void; failed(fault: Error): void }

/** Small, so that the first bodies leave while the next are made. */
const tasksAtOnce = 16

/**
 * Encrypts in a separate thread, started when first needed: at 200 µs a push, a message to a thousand phones would
 * block everybody's requests for a fifth of a second. Requests of one turn go over together.
 */
export function openEncryption(): Encryption {
  let worker: Worker | null = null
  const gathered: Waiting[] = []
  const underWay: Waiting[][] = []
  let closed = false

  return {
    encrypt: task =>
      new Promise((done, failed) => {
        if (closed) return failed(new Error('closed'))
        gathered.push({ task, done, failed })
        if (gathered.length === 1) setImmediate(handOver)
      }),
    async close() {
      closed = true
      await worker?.terminate()
      lose(new Error('closed'))
    },
  }

  function handOver() {
    if (closed) return
    worker ??= start()
    worker.ref()
    while (gathered.length > 0) {
      const group = gathered.splice(0, tasksAtOnce)
      underWay.push(group)
      worker.postMessage(group.map(({ task }) => task))
    }
  }

  function start(): Worker {
    const started = new Worker(new URL('./encryption-worker.ts', import.meta.url), {
      env: {}, // in ours somebody could ask the library to print keys (ECE_KEYLOG)
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    })
    started.on('message', (answer: Answer) => {
      for (const [index, { done }] of (underWay.shift() ?? []).entries()) done(answer[index] ?? null)
      if (underWay.length === 0) started.unref()
    })
    started.on('error', lose)
    started.on('exit', () => lose(new Error('the encrypting thread ended')))
    return started
  }

  function lose(fault: Error) {
    worker = null
    const lost = [...underWay.splice(0).flat(), ...gathered.splice(0)]
    for (const { failed } of lost) failed(fault)
  }
}
