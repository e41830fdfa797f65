import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { othersOfGroup } from './left-running.ts'

test('a process that outlives who started it is found in its group, and no other is', async () => {
  const shell = spawn('sh', ['-c', 'sleep 61 & echo $!'], { detached: true, env: {} })
  const [said] = await once(shell.stdout, 'data')
  const left = Number(said)
  try {
    if (shell.exitCode === null) await once(shell, 'exit')
    expect(othersOfGroup(shell.pid as number)).toEqual([{ pid: left, command: 'sleep 61' }])
    expect(othersOfGroup(left)).toEqual([])
  } finally {
    process.kill(left, 'SIGKILL')
  }
})
