import { expect, test } from 'vitest'
import { cacheUntilExpiry } from './expiring-value.ts'

const numbered = (lastsMs: number) => {
  let made = 0
  return cacheUntilExpiry(async () => ({ number: ++made, until: performance.now() + lastsMs }))
}

test('a value is made once for all waiting callers, and kept until it expires', async () => {
  const lasting = numbered(60_000)
  expect((await Promise.all([lasting.get(), lasting.get(), lasting.get()])).map(({ number }) => number)).toEqual([
    1, 1, 1,
  ])
  expect((await lasting.get()).number).toBe(1)
  const ended = numbered(-1)
  expect([(await ended.get()).number, (await ended.get()).number]).toEqual([1, 2])
})

test('a caller that fails with an old value does not take the new one from the others', async () => {
  const values = numbered(60_000)
  const old = await values.get()
  values.forget(old)
  expect((await values.get()).number).toBe(2)
  values.forget(old)
  expect((await values.get()).number).toBe(2)
})

test('a failure reaches all waiting callers, and the next try is a new one', async () => {
  let tries = 0
  const failing = cacheUntilExpiry(async () => {
    tries += 1
    if (tries === 1) throw new Error('first')
    return { until: performance.now() + 60_000 }
  })
  await Promise.all([expect(failing.get()).rejects.toThrow('first'), expect(failing.get()).rejects.toThrow('first')])
  await expect(failing.get()).resolves.toBeDefined()
  expect(tries).toBe(2)
})
