import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const run = (work: string) =>
  spawn(
    process.execPath,
    ['--input-type=module', '-e', `import { watchEventLoop } from './watchdog.ts'; watchEventLoop(2); ${work}`],
    { cwd: import.meta.dirname, stdio: ['ignore', 'ignore', 'pipe'] },
  )

test('a process whose event loop stands still ends itself, and a merely busy one does not', {
  timeout: 60_000,
}, async () => {
  const stuck = run('setTimeout(() => { for (;;); }, 100)')
  const busy = run(
    'const until = Date.now() + 6000; const turn = () => { const stop = Date.now() + 400; while (Date.now() < stop); if (Date.now() < until) setTimeout(turn, 20); else process.exit(3) }; turn()',
  )
  let said = ''
  stuck.stderr.on('data', text => {
    said += text
  })
  const [[, signal], [code]] = await Promise.all([once(stuck, 'exit'), once(busy, 'exit')])
  expect(signal).toBe('SIGKILL')
  expect(said).toContain('stood still for 2 s')
  expect(code).toBe(3)
})
