import { spawn } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { openTimeLimit } from './time-limit.ts'

const started: ReturnType<typeof spawn>[] = []
afterAll(() => {
  for (const each of started) process.kill(-(each.pid as number), 'SIGKILL')
})
const begin = (script: string) => {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' })
  started.push(child)
  return child.pid as number
}
/** Tells whether the limit ended it, and after how many seconds. */
const ending = async (script: string, seconds: number) => {
  const began = performance.now()
  const how = await new Promise<string>(resolve => openTimeLimit(begin(script), seconds, resolve))
  return { how, after: (performance.now() - began) / 1000 }
}

test.runIf(process.platform === 'linux')('a program that sleeps through its time is too slow', async () => {
  expect((await ending('sleep 60 & wait', 1)).how).toBe('too-slow')
})

test.runIf(process.platform === 'linux')(
  'a program that waits for a processor is not ended before it has computed for its whole time',
  { tags: 'slow' },
  async () => {
    const busy = 'taskset -c 0 sh -c "while :; do :; done" &'
    const { how, after } = await ending(`${busy.repeat(4)} wait`, 1)
    // Each of the four had at most a quarter of it.
    expect(how).toBe('too-slow')
    expect(after).toBeGreaterThan(3)
  },
)

test('a program that makes progress gets its time again, and one that ended in time is not ended', async () => {
  const ended: string[] = []
  const pid = begin('sleep 60')
  const moving = openTimeLimit(pid, 0.4, how => ended.push(how))
  const done = openTimeLimit(pid, 0.2, how => ended.push(how))
  done.stop()
  const timer = setInterval(() => moving.refresh(), 10)
  await new Promise(resolve => setTimeout(resolve, 1000))
  clearInterval(timer)
  expect(ended).toEqual([])
  await expect.poll(() => ended).toHaveLength(1)
})
