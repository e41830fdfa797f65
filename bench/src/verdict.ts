import { figures, type Slice } from './figures.ts'
import type { Goal } from './goals.ts'
import type { Fought } from './rounds.ts'
import { median } from './statistics.ts'

/** Medians of both sides; NaN where a side or a figure was not measured. */
type Both = { ceiling: number; ours: number }

export type Verdict = {
  goal: Goal
  standing: 'aim' | 'floor' | 'below' | 'void' | 'told'
  /** Why nothing was measured. */
  reason: string | null
  figure: Both
  /** Median of the rounds' ratios; of a goal that is none the figure itself. */
  ratio: number
  /** Half the distance between the best and the worst round's ratio, as a share of the ratio. */
  spread: number
  /** The ratio that CPU time gives in the direction of this goal; NaN where the sides cannot be compared by it. */
  cpuRatio: number
  /** The machine was shared and the two ratios fall on different sides of the floor: CPU decided. */
  decidedByCpu: boolean
  serverCpu: Both
  postgresCpu: Both
  /** Milliseconds, whatever the figure is. */
  p99: Both
  strangers: number
}

/** From this many cores on, other programs' work makes a throughput say little. */
const strangersTolerated = 0.15

/** What the rounds say about one goal: medians, the median ratio, and where it stands to floor and aim. */
export const judge = (goal: Goal, { pairs, void: reason }: Fought): Verdict => {
  const of = (slice: Slice | null, figure: keyof Slice) => slice?.[figure] ?? Number.NaN
  const both = (figure: keyof Slice): Both => ({
    ceiling: median(pairs.map(({ ceiling }) => of(ceiling, figure))),
    ours: median(pairs.map(({ ours }) => of(ours, figure))),
  })
  const ratiosOf = (figure: keyof Slice) =>
    pairs.map(({ ceiling, ours }) => of(ours, figure) / (goal.isRatio ? of(ceiling, figure) : 1))
  const ratios = ratiosOf(goal.figure)
  const ratio = median(ratios)
  const cpu = goal.isRatio ? median(ratiosOf('cpu')) : Number.NaN
  const cpuRatio = figures[goal.figure].better === 'more' ? 1 / cpu : cpu
  const strangers = median(pairs.map(({ ceiling, ours }) => Math.max(ours.strangers ?? 0, ceiling?.strangers ?? 0)))
  const disagree = !Number.isNaN(cpuRatio) && reaches(goal, ratio, goal.floor) !== reaches(goal, cpuRatio, goal.floor)
  const decidedByCpu = disagree && strangers > strangersTolerated
  return {
    goal,
    standing: reason === null ? standingOf(goal, decidedByCpu ? cpuRatio : ratio) : 'void',
    reason,
    figure: both(goal.figure),
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
