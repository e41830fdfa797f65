import { expect, test } from 'vitest'
import { onFirstUse } from './first-use.ts'

test('a failed first use is retried, and a successful one serves everybody', async () => {
  let tries = 0
  const used = onFirstUse(async () => {
    tries += 1
    if (tries === 1) throw new Error('too many open files')
    return { tries }
  })
  const [first, second] = await Promise.allSettled([used(), used()])
  expect([first?.status, second?.status]).toEqual(['rejected', 'rejected'])
  const value = await used()
  expect(value).toEqual({ tries: 2 })
  expect(await used()).toBe(value)
})
