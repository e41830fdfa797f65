/**
 * `npm run dev`: restarts the service when one of its sources changes, with Vite in front of it, which shows changed
 * client files at once.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const asked = process.argv.slice(2)
if (asked.length > 0) {
  console.log(
    'npm run dev: the service and its client, each anew when a source changes. PORT is that of the service (3000).',
  )
  process.exit(asked.includes('--help') ? 0 : 2)
}

// Tells Vite the port of the service.
const env = { AFTERGLOW: `http://127.0.0.1:${process.env.PORT ?? 3000}`, ...process.env }
const run = (...args: string[]) =>
  spawn(process.execPath, args, { cwd: join(import.meta.dirname, '..'), stdio: 'inherit', env })

const service = run('--watch', '--watch-preserve-output', 'server/src/main.ts')
const vite = run('node_modules/vite/bin/vite.js', 'web', '--host', '127.0.0.1')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => vite.kill(signal))
vite.once('exit', code => {
  process.exitCode = code ?? 0
  service.kill('SIGTERM')
})
service.once('exit', code => {
  process.exitCode = code ?? 0
  vite.kill('SIGTERM')
})
