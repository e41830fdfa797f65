import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '../../../test/new-folder.ts'
import { CannotStart } from './cannot-start.ts'
import { awaitDataDirectory, openDataDirectory } from './data-directory.ts'

let root = ''
beforeEach(() => {
  root = newFolder('data')
})

async function heldElsewhere(path: string) {
  const program = `
    import { openDataDirectory } from ${JSON.stringify(new URL('data-directory.ts', import.meta.url).href)}
    openDataDirectory(${JSON.stringify(path)})
    console.log('held')
    setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(other.stdout, 'data')
  return other
}

test('a missing directory is created for its owner alone', () => {
  const path = join(root, 'deep', 'data')
  openDataDirectory(path).release()
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('its lock and its pid are its owner’s alone, also where an earlier version left them to everybody', () => {
  const path = join(root, 'data')
  mkdirSync(path)
  for (const name of ['lock', 'pid']) {
    writeFileSync(join(path, name), '')
    chmodSync(join(path, name), 0o666)
  }
  const data = openDataDirectory(path)
  const modes = () => ['lock', 'pid'].map(name => (statSync(join(path, name)).mode & 0o777).toString(8))
  expect(modes()).toEqual(['600', '600'])
  data.announceStop()
  expect(modes()).toEqual(['600', '600'])
  data.release()
})

test('a directory held by another process is refused with its pid, until that one is killed', async () => {
  const path = join(root, 'data')
  const other = await heldElsewhere(path)
  expect(() => openDataDirectory(path)).toThrow(
    new CannotStart(
      `The data directory ${path} is in use by another Afterglow, process ${other.pid}: stop that first, in order, as by kill ${other.pid}.`,
    ),
  )
  other.kill('SIGKILL')
  await once(other, 'exit')
  openDataDirectory(path).release()
})

test('a released directory can be taken again and names nobody', () => {
  const path = join(root, 'data')
  openDataDirectory(path).release()
  expect(existsSync(join(path, 'pid'))).toBe(false)
  openDataDirectory(path).release()
})

test('a path that is no directory is refused with a sentence', () => {
  const path = join(root, 'file')
  writeFileSync(path, '')
  expect(() => openDataDirectory(path)).toThrow(CannotStart)
})

test('a refused start removes what it created and nothing else', () => {
  const deep = join(root, 'deep', 'data')
  const missing = openDataDirectory(deep)
  mkdirSync(join(deep, 'postgres'))
  writeFileSync(join(deep, 'secrets.json'), '')
  missing.abandon()
  expect(readdirSync(root)).toEqual([])

  const empty = join(root, 'empty')
  mkdirSync(empty)
  const taken = openDataDirectory(empty)
  writeFileSync(join(empty, 'secrets.json'), '')
  taken.abandon()
  expect(readdirSync(empty)).toEqual([])

  const filled = join(root, 'filled')
  mkdirSync(filled)
  writeFileSync(join(filled, 'secrets.json'), '')
  openDataDirectory(filled).abandon()
  expect(readdirSync(filled).sort()).toEqual(['lock', 'secrets.json'])
})

test('a start waits for a process that is exiting, and says so once', async () => {
  const path = join(root, 'data')
  const leaving = openDataDirectory(path)
  leaving.announceStop()
  const told: string[] = []
  const waiting = awaitDataDirectory(path, sentence => {
    told.push(sentence)
    setTimeout(() => leaving.release(), 300)
  })
  ;(await waiting).release()
  expect(told).toEqual([`Another Afterglow, process ${process.pid}, is stopping; waiting for it`])
})
