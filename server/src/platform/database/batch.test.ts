import { expect, test } from 'vitest'
import { later } from '../../../test/later.ts'
import { batched } from './batch.ts'

type Act = { chatId: number; name: string }
const failed = (severity: string | undefined) => Object.assign(new Error('failed'), { severity })

/** Delays each statement, and records its requests. */
const statements = (fault: (acts: readonly Act[]) => Error | undefined = () => undefined) => {
  const asked: Act[][] = []
  let open = 0
  let openMax = 0
  const run = async (acts: readonly Act[]) => {
    asked.push([...acts])
    open += 1
    openMax = Math.max(openMax, open)
    await new Promise(resolve => setTimeout(resolve, 3))
    open -= 1
    const error = fault(acts)
    if (error) throw error
    return acts.map(({ name }) => (name === 'refused' ? undefined : name.toUpperCase()))
  }
  return { asked, send: batched(run, { most: 12, apart: ({ chatId }) => chatId }), openMax: () => openMax }
}

test('a lone act goes alone', async () => {
  const { asked, send } = statements()
  expect(await send({ chatId: 1, name: 'a' })).toBe('A')
  expect(asked).toEqual([[{ chatId: 1, name: 'a' }]])
})

test('acts that arrive together or during a statement share the next one, each with its own result', async () => {
  const { asked, send, openMax } = statements()
  const names = Array.from({ length: 30 }, (_, at) => (at === 20 ? 'refused' : `m${at}`))
  const results = await Promise.all(names.map((name, at) => send({ chatId: at, name })))
  expect(results).toEqual(names.map(name => (name === 'refused' ? undefined : name.toUpperCase())))
  expect(asked.length).toBeLessThan(8)
  expect(Math.max(...asked.map(acts => acts.length))).toBeLessThanOrEqual(12)
  expect(openMax()).toBe(2)
})

test('a chat is never in two statements, and its acts keep their order of arrival', async () => {
  const { asked, send, openMax } = statements()
  await Promise.all(Array.from({ length: 20 }, (_, at) => send({ chatId: 7, name: `m${at}` })))
  expect(openMax()).toBe(1)
  expect(asked.flat().map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, at) => `m${at}`))
})

test('two acts of the same name never share a statement, and the later one comes after', async () => {
  const asked: string[][] = []
  const run = async (names: readonly string[]) => {
    asked.push([...names])
    return names
  }
  const send = batched(run, { most: 100, after: name => (name === 'once' ? name : undefined) })
  await Promise.all(['a', 'once', 'once', 'b', 'once'].map(send))
  expect(asked).toEqual([['a', 'once', 'b'], ['once'], ['once']])
})

test('acts without keys are never kept apart', async () => {
  const asked: number[] = []
  const double = batched(
    async (all: readonly number[]) => {
      asked.push(all.length)
      return all.map(each => each * 2)
    },
    { most: 100 },
  )
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10])
  expect(asked).toEqual([5])
})

test('an act that the database rejects fails alone', async () => {
  const { send } = statements(acts => (acts.some(({ name }) => name === 'poison') ? failed('ERROR') : undefined))
  const results = await Promise.allSettled(['a', 'b', 'c', 'poison', 'd'].map((name, chatId) => send({ chatId, name })))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})

test('a broken connection repeats no act, because it may have been done', async () => {
  const { asked, send } = statements(() => failed(undefined))
  const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name, chatId) => send({ chatId, name })))
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(asked.flat()).toHaveLength(4)
})

test('a batch that timed out on a row fails at once with everything queued behind it, and nothing else does', async () => {
  const stuck = Object.assign(failed('ERROR'), { code: '55P03' })
  const { asked, send } = statements(acts => (acts.some(({ chatId }) => chatId === 7) ? stuck : undefined))
  const first = later(['a', 'b', 'c'].map(name => send({ chatId: 7, name })))
  const late = Promise.resolve().then(async () => {
    while (asked.length === 0) await new Promise(resolve => setImmediate(resolve))
    return Promise.allSettled([send({ chatId: 7, name: 'd' }), send({ chatId: 8, name: 'e' })])
  })
  const outcomes = [...(await Promise.allSettled(first)), ...(await late)]
  expect(outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason))).toEqual([
    stuck,
    stuck,
    stuck,
    stuck,
    'E',
  ])
  expect(asked.filter(acts => acts.some(({ chatId }) => chatId === 7))).toHaveLength(1)
})

test('acts beside a blocked row are done, each key by itself', async () => {
  const stuck = Object.assign(failed('ERROR'), { code: '55P03' })
  const { asked, send } = statements(acts => (acts.some(({ chatId }) => chatId === 7) ? stuck : undefined))
  const outcomes = await Promise.allSettled(
    [7, 7, 8, 8, 9].map((chatId, at) => send({ chatId, name: 'abcde'[at] as string })),
  )
  expect(outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason))).toEqual([
    stuck,
    stuck,
    'C',
    'D',
    'E',
  ])
  expect(asked.map(acts => acts.map(({ name }) => name).join(''))).toEqual(['abcde', 'ab', 'cd', 'e'])
  expect(await send({ chatId: 8, name: 'f' })).toBe('F')
})
