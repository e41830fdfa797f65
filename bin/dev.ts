/** `npm run dev`: the service, and in front of it Vite, which shows a changed file of the client at once. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

// Where Vite finds the service, whatever port it was told.
const env = { AFTERGLOW: `http://127.0.0.1:${process.env.PORT ?? 3000}`, ...process.env }
const run = (path: string, ...args: string[]) =>
  spawn(process.execPath, [join(import.meta.dirname, '..', path), ...args], { stdio: 'inherit', env })

const service = run('server/src/main.ts')
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
