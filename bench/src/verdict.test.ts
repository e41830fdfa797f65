import { describe, expect, test } from 'vitest'
import { type Duel, type Slice, Void } from './figures.ts'
import type { Goal } from './goals.ts'
import { fight } from './rounds.ts'
import { tableOf } from './table.ts'
import { judge } from './verdict.ts'

const more: Goal = { id: 'T1', work: 'sending / bare sending', isRatio: true, figure: 'rate', floor: 1, aim: 1.5 }
const less: Goal = { id: 'T2', work: 'reading / bare reading', isRatio: true, figure: 'p50', floor: 1.2, aim: 1.1 }

/** A side that returns these slices in turn, the first one for the warm-up, and logs when it ran. */
const side = (name: string, slices: Slice[], log: string[] = []) => ({
  async run() {
    log.push(name)
    return slices.shift() ?? {}
  },
})
const rates = (...rate: number[]) => rate.map(value => ({ rate: value }))
const measure = async (goal: Goal, ceiling: Slice[], ours: Slice[]) =>
  judge(
    goal,
    await fight(
      { goals: [goal], ceiling: side('ceiling', ceiling), ours: side('ours', ours) },
      { rounds: 3, seconds: 1 },
    ),
  )

test('the sides take turns, and every second round the other one begins', async () => {
  const log: string[] = []
  const duel: Duel = { goals: [more], ceiling: side('ceiling', [], log), ours: side('ours', [], log) }
  await fight(duel, { rounds: 2, seconds: 1 })
  const warmUp = ['ceiling', 'ours']
  expect(log).toEqual([...warmUp, 'ceiling', 'ours', 'ours', 'ceiling'])
})

test('the ratio is the median over rounds, so a machine that slows down does not shift it', async () => {
  const verdict = await measure(more, rates(1, 100, 200, 400), rates(1, 150, 300, 200))
  expect(verdict).toMatchObject({ ratio: 1.5, figure: { ceiling: 200, ours: 200 }, standing: 'aim', spread: 1 / 3 })
})

describe('the standing of a figure', () => {
  test.each([
    [1.5, 'aim'],
    [1.49, 'floor'],
    [1, 'floor'],
    [0.99, 'below'],
  ])('a rate of %f times the ceiling: %s', async (times, standing) => {
    const ours = rates(...Array<number>(4).fill(100 * times))
    expect((await measure(more, rates(100, 100, 100, 100), ours)).standing).toBe(standing)
  })

  test.each([
    [1.1, 'aim'],
    [1.2, 'floor'],
    [1.21, 'below'],
  ])('a latency of %f times the ceiling: %s', async (times, standing) => {
    const of = (p50: number) => Array<Slice>(4).fill({ p50 })
    expect((await measure(less, of(10), of(10 * times))).standing).toBe(standing)
  })

  test('a figure without a ceiling is judged as it is', async () => {
    const goal: Goal = { id: 'T3', work: 'starting', figure: 'time', floor: 3, aim: 1 }
    const ours = side('ours', [{}, { time: 2 }, { time: 2.5 }, { time: 4 }])
    const verdict = judge(goal, await fight({ goals: [goal], ours }, { rounds: 3, seconds: 1 }))
    expect(verdict).toMatchObject({ ratio: 2.5, standing: 'floor' })
  })
})

describe('CPU time an operation', () => {
  const goal = more
  const of = (rate: number, cpu: number, strangers: number) => Array<Slice>(4).fill({ rate, cpu, strangers })

  test('CPU time decides if other programs took the cores and the two ratios disagree', async () => {
    const verdict = await measure(goal, of(100, 80, 0), of(50, 40, 0.5))
    expect(verdict).toMatchObject({ ratio: 0.5, cpuRatio: 2, decidedByCpu: true, standing: 'aim' })
  })

  test('CPU time does not decide on a machine of our own', async () => {
    const verdict = await measure(goal, of(100, 80, 0), of(50, 40, 0.05))
    expect(verdict).toMatchObject({ cpuRatio: 2, decidedByCpu: false, standing: 'below' })
  })
})

test('one failed operation voids a row, which is shown rather than hidden', async () => {
  let ended = false
  let turns = 0
  const failing = {
    async run(): Promise<Slice> {
      turns += 1
      if (turns === 3) throw new Void('was answered 500: Server Error')
      return { rate: 1000 }
    },
  }
  const duel: Duel = {
    goals: [more],
    ours: failing,
    end: async () => {
      ended = true
    },
  }
  const verdict = judge(more, await fight(duel, { rounds: 5, seconds: 1 }))
  expect(verdict).toMatchObject({ standing: 'void', reason: 'was answered 500: Server Error' })
  expect(ended).toBe(true)
  expect(tableOf([verdict])).toMatch(/✗ void.*T1.*was answered 500/)
})

test('a row below its floor is marked in the table', async () => {
  const verdict = await measure(more, rates(1, 100, 100, 100), rates(1, 50, 50, 50))
  expect(tableOf([verdict])).toMatch(/✗ below \| T1 \| sending \/ bare sending \| 100\/s \| 50\/s \| 0\.50 /)
})
