import { expect, test } from 'vitest'
import { later } from '../../../test/later.ts'
import { openFairQueue, type Turn } from './fair-queue.ts'

const patient = { waitingMax: 1000, waitingMaxEach: 1000, full: 'Full.' }

/** A queue whose work ends when it is told to; `began` lists it in order of its start. */
const watched = (atOnce: number, limits = patient) => {
  const queue = openFairQueue({ atOnce, ...limits })
  const began: string[] = []
  const running: (() => void)[] = []
  const ask = (turn: string | Turn, name: string, cost = 1) => {
    const work = () =>
      new Promise<string>(end => {
        began.push(name)
        running.push(() => end(name))
      })
    return later(queue.run(typeof turn === 'string' ? { who: turn } : turn, cost, work))
  }
  const endAll = async () => {
    await null
    while (running.length > 0) {
      running.shift()?.()
      for (let turn = 0; turn < 10; turn++) await null
    }
  }
  return { ask, began, running, endAll }
}

test('a caller’s single task runs in the next round, however many another has waiting', async () => {
  const { ask, began, endAll } = watched(1)
  for (let at = 0; at < 50; at++) void ask('many', `many ${at}`)
  void ask('one', 'one')
  await endAll()
  expect(began.indexOf('one')).toBeLessThanOrEqual(2)
  expect(began).toHaveLength(51)
})

test('expensive tasks of several people do not hold up a cheap one', async () => {
  const { ask, began, endAll } = watched(1)
  for (const who of ['a', 'b', 'c', 'd', 'e', 'f']) void ask(who, `dear ${who}`, 97)
  void ask('phone', 'cheap', 1)
  await endAll()
  expect(began.indexOf('cheap')).toBe(1)
})

test('an expensive task is not put off for ever by new callers’ cheap ones', async () => {
  const { ask, began, running } = watched(1)
  void ask('first', 'first')
  void ask('dear', 'dear', 20)
  for (let at = 0; at < 100; at++) {
    void ask(`newcomer ${at}`, `newcomer ${at}`)
    running.shift()?.()
    for (let turn = 0; turn < 10; turn++) await null
  }
  expect(began).toContain('dear')
})

test('callers share evenly whatever their tasks cost', async () => {
  const { ask, began, endAll } = watched(1)
  for (let at = 0; at < 10; at++) void ask('dear', `dear ${at}`, 5)
  for (let at = 0; at < 50; at++) void ask('cheap', `cheap ${at}`, 1)
  await endAll()
  const cheapBeforeLastDear = began.slice(0, began.indexOf('dear 9')).filter(name => name.startsWith('cheap'))
  expect(cheapBeforeLastDear.length).toBeGreaterThanOrEqual(40)
  expect(began.slice(0, 14).filter(name => name.startsWith('dear')).length).toBeGreaterThanOrEqual(2)
})

test('a client with too much waiting is told to retry, and makes room for others in a full queue', async () => {
  const { ask, endAll } = watched(1, { waitingMax: 5, waitingMaxEach: 3, full: 'Too much.' })
  const mine = Array.from({ length: 5 }, (_, at) => ask('mine', `mine ${at}`))
  await expect(mine[4]).rejects.toMatchObject({ message: 'Too much.', retryAfterSeconds: expect.any(Number) })
  const theirs = [ask('theirs', 'theirs'), ask('theirs', 'more')]
  const others = later(['b', 'c', 'd'].map(who => ask(who, who)))
  // The caller with most waiting made room, the last task first, until everybody had one.
  for (const refused of [mine[3], mine[2], theirs[1], ask('e', 'e')])
    await expect(refused).rejects.toMatchObject({ message: 'Too much.' })
  await endAll()
  expect(await Promise.all([mine[0], mine[1], theirs[0], ...others])).toHaveLength(6)
})

test('a thousand names of one crowd count as eight people, and each of them as much as another', async () => {
  const { ask, began, endAll } = watched(1)
  for (let at = 0; at < 400; at++) void ask({ who: `bot ${at}`, crowd: 'a link' }, `bot ${at}`)
  for (let at = 0; at < 20; at++) void ask('photographer', `photo ${at}`)
  await endAll()
  const photos = began.map((name, at) => (name.startsWith('photo') ? at : 0)).filter(at => at > 0)
  expect(photos.map((at, n) => at - (photos[n - 1] ?? 0) <= 10)).not.toContain(false)
  expect(began.slice(0, 30).filter(name => name.startsWith('bot')).length).toBeGreaterThan(20)
})

test('a crowd that fills the queue shuts nobody else out', async () => {
  const { ask, began, endAll } = watched(2, { waitingMax: 50, waitingMaxEach: 10, full: 'Too much.' })
  const bots = later(Array.from({ length: 60 }, (_, at) => ask({ who: `bot ${at}`, crowd: 'a link' }, `bot ${at}`)))
  const guests = later(
    Array.from({ length: 10 }, (_, at) => ask({ who: `guest ${at}`, crowd: 'another' }, `guest ${at}`)),
  )
  await endAll()
  expect(await Promise.all(guests)).toHaveLength(10)
  expect(began.slice(0, 30).filter(name => name.startsWith('guest')).length).toBeGreaterThanOrEqual(9)
  const refused = (await Promise.allSettled(bots)).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(18)
})

test('abandoned work is never begun, and leaves the queue', async () => {
  const { ask, began, endAll } = watched(1, { waitingMax: 2, waitingMaxEach: 2, full: 'Full.' })
  const gone = new AbortController()
  void ask('a', 'running')
  const dropped = [ask({ who: 'b', gone: gone.signal }, 'dropped'), ask({ who: 'b', gone: gone.signal }, 'too')]
  gone.abort()
  for (const each of dropped) await expect(each).rejects.toThrow('The connection was closed.')
  await expect(ask({ who: 'b', gone: gone.signal }, 'late')).rejects.toThrow('The connection was closed.')
  void ask('c', 'kept')
  await endAll()
  expect(began).toEqual(['running', 'kept'])
})

test('failing work frees its slot', async () => {
  const queue = openFairQueue({ atOnce: 1, ...patient })
  await expect(queue.run({ who: 'a' }, 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await queue.run({ who: 'a' }, 1, async () => 'yes')).toBe('yes')
})
