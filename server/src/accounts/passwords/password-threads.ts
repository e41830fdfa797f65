import { Worker } from 'node:worker_threads'
import type { Answer, Task } from './password-worker.ts'

type Thread = { perform(task: Task): Promise<string | boolean>; end(): void; ended: boolean }

const idleMs = 60_000

/**
 * Performs one task at a time per thread; the caller limits how many are performed at once. A thread starts when none
 * is idle, and ends after a minute without work. Node's own pool would run at the priority of requests and share its
 * threads with their file operations.
 */
export const openPasswordThreads = () => {
  const idle = new Map<Thread, NodeJS.Timeout>()

  /** The one used last, so that others come to their end. */
  const fromIdle = () => {
    for (const [thread, timer] of [...idle].reverse()) {
      clearTimeout(timer)
      idle.delete(thread)
      if (!thread.ended) return thread
    }
    return undefined
  }

  return async (task: Task): Promise<string | boolean> => {
    const thread = fromIdle() ?? startThread()
    try {
      return await thread.perform(task)
    } finally {
      const rest = setTimeout(() => {
        idle.delete(thread)
        thread.end()
      }, idleMs)
      idle.set(thread, rest.unref())
    }
  }
}

const startThread = (): Thread => {
  const worker = new Worker(new URL('./password-worker.ts', import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  let waiting: { done(result: string | boolean): void; failed(fault: unknown): void } | undefined
  const settle = (answer: Answer) => {
    if ('fault' in answer) waiting?.failed(answer.fault)
    else waiting?.done(answer.result)
    waiting = undefined
  }
  const thread: Thread = {
    ended: false,
    perform: task =>
      new Promise((done, failed) => {
        waiting = { done, failed }
        // An idle thread does not keep the process alive; a working one does.
        worker.ref()
        worker.postMessage(task)
      }),
    end: () => void worker.terminate(),
  }
  worker.on('message', (answer: Answer) => {
    worker.unref()
    settle(answer)
  })
  worker.on('error', fault => settle({ fault }))
  worker.on('exit', () => {
    thread.ended = true
    settle({ fault: new Error('the thread that hashes passwords ended') })
  })
  return thread
}
