import { figures } from './figures.ts'
import type { Verdict } from './verdict.ts'

const heads = [
  '',
  'row',
  'work / ceiling',
  'ceiling',
  'ours',
  'ratio',
  '±',
  'floor',
  'aim',
  'p99 ms',
  'CPU ms',
  'others',
]
const marks = { aim: '✓✓', floor: '✓', below: '✗ below', void: '✗ void', told: '·' }

/**
 * The verdicts as a Markdown table. Of p99 and CPU first the ceiling's; CPU: an operation, server + PostgreSQL. Others: the
 * cores that programs outside of the bench took meanwhile.
 */
export const tableOf = (verdicts: readonly Verdict[]): string =>
  [heads, heads.map((_, column) => (column < 3 ? '---' : '--:')), ...verdicts.map(lineOf)]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n')

const lineOf = (verdict: Verdict): string[] => {
  const { goal, standing, serverCpu, postgresCpu, ratio, cpuRatio, p99, strangers } = verdict
  const { unit, better } = figures[goal.figure]
  const work = goal.ceiling === null ? goal.work : `${goal.work} / ${goal.ceiling}`
  if (standing === 'void') return [marks.void, goal.id, work, verdict.reason ?? '', ...Array<string>(8).fill('')]
  const bound = (value: number | undefined) =>
    value === undefined ? '' : `${better === 'more' ? '≥' : '≤'} ${short(value)}${goal.ceiling === null ? unit : ''}`
  const cpu = (side: 'ceiling' | 'ours') =>
    serverCpu[side] === null ? [] : `${short(serverCpu[side])} + ${short(postgresCpu[side] ?? 0)}`
  const waited = [p99.ceiling, p99.ours].flatMap(value => (value === null ? [] : short(value)))
  return [
    marks[standing] + (verdict.decidedByCpu ? ' by CPU' : ''),
    goal.id,
    work,
    verdict.ceiling === null ? '' : short(verdict.ceiling) + unit,
    short(verdict.ours) + unit,
    goal.ceiling === null ? '' : ratio.toFixed(2) + (cpuRatio === null ? '' : ` (CPU ${cpuRatio.toFixed(2)})`),
    `${Math.round(verdict.spread * 100)} %`,
    bound(goal.floor),
    bound(goal.aim),
    waited.join(' → '),
    [cpu('ceiling'), cpu('ours')].flat().join(' → '),
    Number.isNaN(strangers) ? '' : strangers.toFixed(1),
  ]
}

/** Three digits that matter, or every digit of a large number. */
const short = (value: number): string => {
  if (!Number.isFinite(value)) return '?'
  if (value >= 100) return Math.round(value).toLocaleString('en').replaceAll(',', ' ')
  return String(Number(value.toPrecision(value < 10 ? 3 : 2)))
}
