import { afterEach, expect, test, vi } from 'vitest'
import { openWindows } from './windows.ts'

afterEach(() => vi.useRealTimers())

test('a window begins with its first request, ends a minute later to the millisecond, and another key has its own', () => {
  vi.useFakeTimers({ now: 1_000_000 })
  const windows = openWindows(60_000)
  const [pings, sends] = [windows.bucket(), windows.bucket()]
  expect(windows.look(pings, 7)).toEqual({ spent: 0, msBeforeEnd: 60_000 })
  expect(windows.spend(pings, 7)).toEqual({ spent: 1, msBeforeEnd: 60_000 })
  vi.advanceTimersByTime(59_999)
  expect(windows.spend(pings, 7)).toEqual({ spent: 2, msBeforeEnd: 1 })
  expect(windows.spend(pings, 8)).toEqual({ spent: 1, msBeforeEnd: 60_000 })
  expect(windows.spend(sends, 7)).toEqual({ spent: 1, msBeforeEnd: 60_000 })
  windows.giveBack(pings, 7)
  expect(windows.look(pings, 7)).toEqual({ spent: 1, msBeforeEnd: 1 })
  vi.advanceTimersByTime(1)
  expect(windows.look(pings, 7).spent).toBe(0)
  windows.giveBack(pings, 7)
  expect(windows.spend(pings, 7)).toEqual({ spent: 1, msBeforeEnd: 60_000 })
})

test('what is over is forgotten by whoever opens the next window, in any bucket', () => {
  vi.useFakeTimers({ now: 1_000_000 })
  const windows = openWindows(60_000)
  const [pings, sends] = [windows.bucket(), windows.bucket()]
  for (let key = 0; key < 1000; key++) windows.spend(pings, key)
  vi.advanceTimersByTime(30_000)
  windows.spend(pings, 'later')
  expect(pings.size).toBe(1001)
  vi.advanceTimersByTime(30_000)
  windows.spend(pings, 5)
  windows.spend(sends, 1)
  expect([...pings.keys()]).toEqual(['later', 5])
  expect(windows.look(pings, 5).spent).toBe(1)
})
