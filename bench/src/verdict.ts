import { figures, type Goal, type Slice } from './figures.ts'
import type { Fought, Pair } from './rounds.ts'
import { median } from './statistics.ts'

/** Of both sides; null where it was not measured. */
type Both<Value> = { ceiling: Value | null; ours: Value | null }

export type Verdict = {
  goal: Goal
  standing: 'aim' | 'floor' | 'below' | 'void' | 'told'
  /** Why nothing was measured. */
  reason?: string
  ceiling: number | null
  ours: number
  /** Median of the rounds' ratios; without a ceiling the figure itself. */
  ratio: number
  /** Half the distance between the best and the worst round's ratio, as a share of the ratio. */
  spread: number
  /** The ratio that CPU time gives in the direction of this goal; null where the sides cannot be compared by it. */
  cpuRatio: number | null
  /** The machine was shared and the two ratios fall on different sides of the floor: CPU decided. */
  decidedByCpu: boolean
  serverCpu: Both<number>
  postgresCpu: Both<number>
  /** Milliseconds, whatever the figure is. */
  p99: Both<number>
  strangers: number
}

/** From this many cores on, other programs' work makes a throughput say little. */
const strangersTolerated = 0.15

/** What the rounds say about one goal: medians, the median ratio, and where it stands to floor and aim. */
export const judge = (goal: Goal, fought: Fought): Verdict => {
  const { pairs } = fought
  const of = (slice: Slice | null) => slice?.[goal.figure] ?? Number.NaN
  const ratios = pairs.map(pair => (goal.ceiling === null ? of(pair.ours) : of(pair.ours) / of(pair.ceiling)))
  const ratio = median(ratios)
  const cpuRatio = goal.cpuDecides ? cpuRatioOf(goal, pairs) : null
  const strangers = median(pairs.map(pair => Math.max(pair.ours.strangers ?? 0, pair.ceiling?.strangers ?? 0)))
  const disagree = cpuRatio !== null && reaches(goal, ratio, goal.floor) !== reaches(goal, cpuRatio, goal.floor)
  const decidedByCpu = disagree && strangers > strangersTolerated
  const both = (figure: keyof Slice): Both<number> => {
    const middle = (slices: readonly (Slice | null)[]) => {
      const value = median(slices.map(slice => slice?.[figure] ?? Number.NaN))
      return Number.isNaN(value) ? null : value
    }
    return { ceiling: middle(pairs.map(pair => pair.ceiling)), ours: middle(pairs.map(pair => pair.ours)) }
  }
  return {
    goal,
    standing: fought.void ? 'void' : standingOf(goal, decidedByCpu ? (cpuRatio as number) : ratio),
    ...(fought.void && { reason: fought.void }),
    ceiling: goal.ceiling === null ? null : median(pairs.map(pair => of(pair.ceiling))),
    ours: median(pairs.map(pair => of(pair.ours))),
    ratio,
    spread: ratio === 0 ? 0 : (Math.max(...ratios) - Math.min(...ratios)) / 2 / ratio,
    cpuRatio,
    decidedByCpu,
    serverCpu: both('serverCpu'),
    postgresCpu: both('postgresCpu'),
    p99: both('p99'),
    strangers,
  }
}

const reaches = (goal: Goal, value: number, mark: number | undefined) =>
  mark !== undefined && (figures[goal.figure].better === 'more' ? value >= mark : value <= mark)

const standingOf = (goal: Goal, value: number): Verdict['standing'] => {
  if (goal.floor === undefined) return 'told'
  if (reaches(goal, value, goal.aim)) return 'aim'
  return reaches(goal, value, goal.floor) ? 'floor' : 'below'
}

const cpuRatioOf = (goal: Goal, pairs: readonly Pair[]) => {
  const more = median(pairs.map(({ ceiling, ours }) => (ours.cpu ?? Number.NaN) / (ceiling?.cpu ?? Number.NaN)))
  return figures[goal.figure].better === 'more' ? 1 / more : more
}
