import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { processesWith } from './left-running.ts'

test('a process that outlives who started it is found by what it was started with, and no other is', async () => {
  const shell = spawn('sh', ['-c', 'sleep 61 & echo $!'], { env: { ...process.env, PARTY: 'lake' } })
  const [said] = await once(shell.stdout, 'data')
  const left = Number(said)
  try {
    if (shell.exitCode === null) await once(shell, 'exit')
    expect(processesWith('PARTY', 'lake')).toEqual([{ pid: left, command: 'sleep 61' }])
    expect(processesWith('PARTY', 'lak')).toEqual([])
  } finally {
    process.kill(left, 'SIGKILL')
  }
})
