import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../server/test/new-folder.ts'
import { processesOf } from '../server/test/processes.ts'

const root = join(import.meta.dirname, '..')
const timeout = 600_000

/** Runs `npm test` on a fixture with a temporary folder of its own. */
const begin = (fixture: string) => {
  const folder = newFolder('npm-test')
  const env = { ...process.env, TMPDIR: folder, NO_COLOR: '1', CI: '', SEED: '' }
  const child = spawn(process.execPath, ['bin/test.ts', `bin/fixtures/${fixture}.fixture.ts`], { cwd: root, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk)).on('error', () => {})
  return { child, folder, said: () => said }
}

const codeOf = async (child: ChildProcess) => (await once(child, 'exit'))[0]

const isAsBefore = (folder: string) => {
  expect(processesOf(folder)).toEqual([])
  expect(readdirSync(folder)).toEqual([])
}

test('a process that outlives its test file fails that file by name, and is ended', { timeout }, async () => {
  const { child, folder, said } = begin('left-open')
  expect(await codeOf(child)).toBe(1)
  expect(said()).toMatch(/FAIL +bin\/fixtures\/left-open\.fixture\.ts/)
  for (const left of [/file \S+left\.txt/, /process \d+ sleep 987/, /1 listening socket/, /database \S+left with 0/])
    expect(said()).toMatch(left)
  isAsBefore(folder)
})

test('skipped tests leave nothing, and are counted by the missing package', { timeout }, async () => {
  const { child, folder, said } = begin('skipped')
  expect([await codeOf(child), said()]).toEqual([
    0,
    expect.stringContaining('2 tests need a program that nobody has: nobody-has-it'),
  ])
  isAsBefore(folder)
})

test.each<[string, (child: ChildProcess) => unknown]>([
  ['Ctrl-C', child => child.kill('SIGINT')],
  ['a terminal that is closed', child => child.kill('SIGHUP')],
  ['a pipe that is closed', child => [child.stdout, child.stderr].map(stream => stream?.destroy())],
])('%s ends all processes that a run has started', { timeout }, async (_, end) => {
  const { child, folder, said } = begin('under-way')
  await expect.poll(said, { timeout }).toContain('It is under way.')
  expect(processesOf(folder).length).toBeGreaterThan(5)
  end(child)
  expect(await codeOf(child)).not.toBe(0)
  isAsBefore(folder)
})
