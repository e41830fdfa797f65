import { expect, test } from 'vitest'
import { openQueue } from './queue.ts'

test('work queued behind a lock timeout is refused with it; after any other fault it is done', async () => {
  const queue = openQueue()
  const failing = (fault: Error) => () => Promise.reject(fault)
  const [broken, stuck] = [new Error('broken'), Object.assign(new Error('stuck'), { code: '55P03' })]
  const settled = await Promise.allSettled([
    queue(7, failing(broken)),
    queue(7, async () => 'done'),
    queue(7, failing(stuck)),
    queue(7, async () => 'never begun'),
    queue(8, async () => 'of another chat'),
  ])
  expect(settled.map(one => (one.status === 'fulfilled' ? one.value : one.reason))).toEqual([
    broken,
    'done',
    stuck,
    stuck,
    'of another chat',
  ])
  expect(await queue(7, async () => 'once it is free')).toBe('once it is free')
})
