import { spawn } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { openTimeLimit } from './time-limit.ts'

const started: ReturnType<typeof spawn>[] = []
afterAll(() => {
  for (const each of started) process.kill(-(each.pid as number), 'SIGKILL')
})
const ending = (script: string) =>
  new Promise<string>(resolve => {
    const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' })
    started.push(child)
    openTimeLimit(child.pid as number, 2, resolve)
  })

test.runIf(process.platform === 'linux')(
  'what slept through its time was too slow, what stood in line for a processor may be tried again',
  async () => {
    const busy = 'taskset -c 0 sh -c "while :; do :; done" &'
    expect(await Promise.all([ending('sleep 60 & wait'), ending(`${busy.repeat(6)} wait`)])).toEqual([
      'too-slow',
      'lost',
    ])
  },
)

test('what moves has its time again, and what has ended in time is not ended', async () => {
  const ended: string[] = []
  const moving = openTimeLimit(process.pid, 0.4, how => ended.push(how))
  const done = openTimeLimit(process.pid, 0.2, how => ended.push(how))
  done.stop()
  const timer = setInterval(() => moving.refresh(), 10)
  await new Promise(resolve => setTimeout(resolve, 1000))
  clearInterval(timer)
  expect(ended).toEqual([])
  await expect.poll(() => ended).toHaveLength(1)
})
