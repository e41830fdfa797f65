import { execFile } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '../../../test/new-folder.ts'
import { CannotStart } from '../process/cannot-start.ts'
import { openSecrets } from './secrets.ts'

let dataDir = ''
let path = ''
beforeEach(() => {
  dataDir = newFolder('secrets')
  path = join(dataDir, 'secrets.json')
})

test('the first start creates secrets, readable by their owner alone, and leaves nothing else', () => {
  const { media, databasePassword } = openSecrets(path)
  expect(media.key).toHaveLength(32)
  expect(media.id).not.toBe('')
  expect(Buffer.from(databasePassword, 'base64url')).toHaveLength(32)
  expect(readdirSync(dataDir)).toEqual(['secrets.json'])
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test('every later start finds the same secrets, and another directory gets others', () => {
  const first = openSecrets(path)
  expect(openSecrets(path)).toEqual(first)
  rmSync(join(dataDir, 'secrets.json'))
  expect(openSecrets(path)).not.toEqual(first)
})

test('a secrets file from before push keeps its content and gets push keys, once', () => {
  const { media, databasePassword } = openSecrets(path)
  const { vapid: _, ...before } = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify(before))
  const after = openSecrets(path)
  expect(after).toMatchObject({ media, databasePassword, vapid: { publicKey: expect.stringMatching(/^[\w-]{87}$/) } })
  expect(openSecrets(path)).toEqual(after)
})

test('a secrets file that others could read is closed to them', () => {
  openSecrets(path)
  chmodSync(join(dataDir, 'secrets.json'), 0o644)
  openSecrets(path)
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test.each(['', '{', '{}', '{"media":{"id":"a","key":"short"},"databasePassword":"short"}'])(
  'startup fails on a malformed secrets file (%s) with a sentence, and leaves it unchanged',
  content => {
    writeFileSync(join(dataDir, 'secrets.json'), content)
    expect(() => openSecrets(path)).toThrow(CannotStart)
    expect(() => openSecrets(path)).toThrow(join(dataDir, 'secrets.json'))
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(content)
  },
)

test('concurrent starts over one file get the same secrets', async () => {
  const program = `
    import { openSecrets } from ${JSON.stringify(new URL('secrets.ts', import.meta.url).href)}
    console.log(openSecrets(process.argv[1]).databasePassword)`
  const run = promisify(execFile)
  const started = Array.from({ length: 4 }, () =>
    run(process.execPath, ['--input-type=module', '-e', program, '--', path]),
  )
  const said = await Promise.all(started)
  expect(new Set(said.map(({ stdout }) => stdout)).size).toBe(1)
  expect(readdirSync(dataDir)).toEqual(['secrets.json'])
})
