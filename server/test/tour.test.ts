import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { openTestApp } from './app.ts'
import { needing } from './needing.ts'
import { newFolder } from './new-folder.ts'
import { curl } from './tools.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const app = await openTestApp()

/** The commands of a page, as a reader copies them. */
const scriptIn = async (page: string, name: string) =>
  (await readFile(root + page, 'utf8')).split(`\`\`\`sh ${name}\n`)[1]?.split('```')[0] ?? 'false'

const run = async (script: string) => {
  const env = { ...process.env, AFTERGLOW: app.url }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env })
  return stdout.trim().split('\n')
}

needing(curl).test('the tours work as written', async () => {
  const lines = await run(await scriptIn('docs/authors.md', 'tour'))
  expect(lines.slice(0, 3)).toEqual(['{"join_request_status":"pending"}', 'Gus', '{"join_request_status":"approved"}'])
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    event_photo_likes_count: '1',
    event_photo_comments_count: '2',
    taken_by: { user_username: 'gus' },
  })
})

needing(curl).test('joining by a link works after the tours', async () => {
  const other = (script: string) => script.replaceAll('person Olivia Ortega olivia', 'person Olivia Ortega olivia2')
  const before = other(await scriptIn('docs/authors.md', 'tour')).replaceAll(
    'person Gus Grant gus',
    'person Gus Grant gus2',
  )
  const folder = newFolder('tour')
  const page = (await scriptIn('docs/authors.md', 'guest')).replace('join.svg', join(folder, 'join.svg'))
  const lines = await run(`${before}\n${page}`)
  expect(lines.slice(-5)).toEqual(['Lanterns on the lake', '5', 'anna@example.com', 'photo.unhidden', '{"done":true}'])
  expect(await readFile(join(folder, 'join.svg'), 'utf8')).toContain('<svg')
})
