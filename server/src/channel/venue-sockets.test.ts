import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { openRawSocket, type RawSocket } from '../../test/raw-socket.ts'

/** A process with room for a hundred sockets: a network may have half of them. */
vi.mock('../platform/process/open-files.ts', () => ({ openFilesMax: () => 0 }))

const app = await openTestApp()
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
