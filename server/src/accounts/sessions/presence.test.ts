import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openPresence, type Presence, presenceMemory, presenceTtlSeconds } from './presence.ts'

const phone = 1
const tablet = 2
let presence: Presence

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] })
  presence = openPresence()
})
afterEach(() => {
  presence.close()
  vi.useRealTimers()
})

const active = async () => [...(await presence.activeOf([phone, tablet]))]
const wait = (seconds: number) => vi.advanceTimersByTime(seconds * 1000)

test('a ping makes a device active for a minute, and only that device', async () => {
  expect(await active()).toEqual([])
  const until = await presence.ping(phone)
  expect(until.getTime() - Date.now()).toBe(presenceTtlSeconds * 1000)
  wait(59)
  expect(await active()).toEqual([phone])
  wait(1)
  expect(await active()).toEqual([])
})

test('a device that signs off is inactive at once, connected or not', async () => {
  presence.connected(phone)
  await presence.ping(phone)
  await presence.ping(tablet)
  await presence.disconnect(phone)
  expect(await active()).toEqual([tablet])
})

test('a connected device stays active without more pings, and ends with its socket', async () => {
  await presence.ping(phone)
  presence.connected(phone)
  wait(600)
  expect(await active()).toEqual([phone])
  presence.left(phone)
  expect(await active()).toEqual([])
})

test('a short cut of the connection changes nothing for who pinged lately', async () => {
  await presence.ping(phone)
  presence.connected(phone)
  wait(30)
  presence.left(phone)
  expect(await active()).toEqual([phone])
  wait(10)
  presence.connected(phone)
  wait(600)
  expect(await active()).toEqual([phone])
})

test('connecting alone makes nobody active, not even who pinged an hour ago', async () => {
  presence.connected(tablet)
  await presence.ping(phone)
  wait(3600)
  presence.connected(phone)
  expect(await active()).toEqual([])
  await presence.ping(phone)
  expect(await active()).toEqual([phone])
})

test('each of several processes knows who is active at any, until the one that holds the socket is gone', async () => {
  const memory = presenceMemory().presence
  const openAt = (process: number) =>
    openPresence(undefined, {
      publish: () => {},
      listen: () => {},
      note: (_what, fact) => memory.note(process, fact),
      ask: async <Answer>(_what: string, question: unknown) => memory.answer(question) as Answer,
    })
  const [one, other] = [openAt(1), openAt(2)]
  await one.ping(phone)
  one.connected(phone)
  other.connected(phone)
  await other.ping(tablet)
  wait(presenceTtlSeconds)
  expect([...(await other.activeOf([phone, tablet]))]).toEqual([phone])
  other.left(phone)
  expect([...(await other.activeOf([phone]))]).toEqual([phone])
  memory.forget(1)
  expect([...(await other.activeOf([phone]))]).toEqual([])
})
