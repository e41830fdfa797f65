import { expect, onTestFinished, test, vi } from 'vitest'
import { openProgress } from './progress.ts'

test('a log reads each line once while nothing moves, and the next one when something does', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  let bytes = 0
  const out = { write: (line: string) => lines.push(line.trim()) }
  const progress = openProgress(out, () => ({ files: 2, filesAll: 5, bytes, bytesAll: 5_000_000 }))
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(lines).toEqual(['2 of 5 · 0 B of 5.0 MB'])
  bytes = 1_000_000
  await vi.advanceTimersByTimeAsync(10_000)
  expect(lines.slice(1)).toEqual(['2 of 5 · 1.0 MB of 5.0 MB · 100 kB/s · 40 s left'])
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(lines.at(-1)).toBe('2 of 5 · 1.0 MB of 5.0 MB')
  expect(new Set(lines).size).toBe(lines.length)
  progress.close()
})
