import { execFile, execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openTestApp } from './app.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const app = await openTestApp()

const hasCurl = () => {
  try {
    return execFileSync('curl', ['--version']).length > 0
  } catch {
    return false
  }
}

// CI installs curl; a machine of somebody who has none is told so by the skipped name instead of a failure.
test.skipIf(!process.env.CI && !hasCurl())('the tour of the README works as it stands (needs curl)', async () => {
  const readme = await readFile(`${root}README.md`, 'utf8')
  const [, script] = /```sh tour\n([\s\S]*?)```/.exec(readme) ?? []
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script ?? 'false'], {
    cwd: root,
    env: { ...process.env, AFTERGLOW: app.url },
  })
  const lines = stdout.trim().split('\n')
  expect(lines.slice(0, 3)).toEqual(['{"join_request_status":"pending"}', 'Gus', '{"join_request_status":"approved"}'])
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    event_photo_likes_count: '1',
    event_photo_comments_count: '2',
    taken_by: { user_username: 'gus' },
  })
})
