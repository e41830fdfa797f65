import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { processesOf } from './left-running.ts'

test('a process that outlives who started it is found by what it was started with, and no other is', async () => {
  const began = Date.now() - 1000
  const bare = spawn('tail', ['-f', '/etc/hostname'], { env: {}, stdio: 'ignore' })
  const shell = spawn('sh', ['-c', 'sleep 61 & echo $!'], { env: { ...process.env, PARTY: 'lake' } })
  const [said] = await once(shell.stdout, 'data')
  const left = Number(said)
  try {
    if (shell.exitCode === null) await once(shell, 'exit')
    const found = (value: string, folder: string) => processesOf({ name: 'PARTY', value }, folder, began)
    expect(found('lake', '/nowhere')).toEqual([{ pid: left, command: 'sleep 61' }])
    expect(found('lak', '/nowhere')).toEqual([])
    expect(found('lak', '/etc')).toEqual([{ pid: bare.pid, command: 'tail -f /etc/hostname' }])
  } finally {
    process.kill(left, 'SIGKILL')
    bare.kill('SIGKILL')
  }
})
