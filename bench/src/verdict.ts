import { figures, type Slice } from './figures.ts'
import type { Goal } from './goals.ts'
import type { Fought } from './rounds.ts'
import { median } from './statistics.ts'

/** The medians of both sides; NaN if not measured. */
type Both = { ceiling: number; ours: number }

export type Verdict = {
  goal: Goal
  standing: 'aim' | 'floor' | 'below' | 'void' | 'told'
  reason: string | null
  figure: Both
  /** The median of the rounds' ratios; for a goal without a ceiling, the figure itself. */
  ratio: number
  /** Half the distance between the best and the worst round's ratio, relative to the ratio. */
  spread: number
  /** The ratio by CPU time in this goal's direction; NaN if it cannot be compared. */
  cpuRatio: number
  /** The machine was shared and the two ratios disagree about the floor: CPU decided. */
  decidedByCpu: boolean
  serverCpu: Both
  postgresCpu: Both
  /** In milliseconds, whatever the figure is. */
  p99: Both
  strangers: number
}

/** Above this many cores used by other programs, throughput means little. */
const strangersTolerated = 0.15

/** Judges one goal by the medians of its rounds, against floor and aim. */
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
