import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { enter } from '../../test/cast.ts'
import { newFolder } from '../../test/new-folder.ts'
import { openNodes } from '../../test/nodes.ts'
import { openRawSocket, type RawSocket } from '../../test/raw-socket.ts'

/** A process that may have so few files open that it takes a hundred sockets: a network may have half of them. */
const node = join(newFolder('few-files'), 'node')
writeFileSync(node, `#!/bin/sh\nulimit -n 1100 && exec '${process.execPath}' "$@"\n`)
chmodSync(node, 0o755)

const { first: app } = await openNodes({}, { node })
const joins = async (token: string) => {
  const socket = await openRawSocket(app.url, { token })
  const start = /^(42\["ready"|44)/
  await vi.waitFor(() => expect(socket.texts.some(text => start.test(text))).toBe(true))
  return { ...socket, ready: socket.texts.some(text => text.startsWith('42')) }
}

test('five names that fill a venue’s share of sockets close nobody else there out', { timeout: 120_000 }, async () => {
  const guests = await Promise.all(Array.from({ length: 12 }, () => enter(app, 'gus')))
  const names = await Promise.all(Array.from({ length: 5 }, () => enter(app, 'sam')))
  const taken: RawSocket[] = []
  for (let n = 0; n < 10; n += 1)
    for (const { token } of names) {
      const socket = await joins(token)
      expect(socket.ready).toBe(true)
      taken.push(socket)
    }
  // The share is used up: each name holds as much as any other.
  expect((await joins(names[4]?.token ?? '')).ready).toBe(false)
  const open: RawSocket[] = []
  for (const { token } of guests) {
    const socket = await joins(token)
    expect(socket.ready).toBe(true)
    open.push(socket)
  }
  await vi.waitFor(async () => {
    const gone = await Promise.all(taken.map(socket => socket.closes(0)))
    expect(gone.filter(Boolean)).toHaveLength(guests.length)
  })
  expect((await Promise.all(open.map(socket => socket.closes(0)))).filter(Boolean)).toEqual([])
  for (const socket of [...taken, ...open]) socket.close()
})
