import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CannotStart } from './cannot-start.ts'
import { openSecrets } from './secrets.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'afterglow-secrets-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

test('the first start makes them, readable by their owner alone, and leaves nothing else', () => {
  const { media, databasePassword } = openSecrets(dataDir)
  expect(media.key).toHaveLength(32)
  expect(media.id).not.toBe('')
  expect(Buffer.from(databasePassword, 'base64url')).toHaveLength(32)
  expect(readdirSync(dataDir)).toEqual(['secrets.json'])
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test('every later start finds the same, another directory gets others', () => {
  const first = openSecrets(dataDir)
  expect(openSecrets(dataDir)).toEqual(first)
  rmSync(join(dataDir, 'secrets.json'))
  expect(openSecrets(dataDir)).not.toEqual(first)
})

test('a file from before there was push keeps what it holds and gets the keys of push, once', () => {
  const { media, databasePassword } = openSecrets(dataDir)
  const path = join(dataDir, 'secrets.json')
  const { vapid: _, ...before } = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify(before))
  const after = openSecrets(dataDir)
  expect(after).toMatchObject({ media, databasePassword, vapid: { publicKey: expect.stringMatching(/^[\w-]{87}$/) } })
  expect(openSecrets(dataDir)).toEqual(after)
})

test('a file that others could read is closed to them', () => {
  openSecrets(dataDir)
  chmodSync(join(dataDir, 'secrets.json'), 0o644)
  openSecrets(dataDir)
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test.each(['', '{', '{}', '{"media":{"id":"a","key":"short"},"databasePassword":"short"}'])(
  'a malformed file (%s) stops the start with a sentence and stays as it is',
  content => {
    writeFileSync(join(dataDir, 'secrets.json'), content)
    expect(() => openSecrets(dataDir)).toThrow(CannotStart)
    expect(() => openSecrets(dataDir)).toThrow(join(dataDir, 'secrets.json'))
    expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe(content)
  },
)
