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
 * Formats the verdicts as a Markdown table. p99 and CPU show the ceiling first; CPU is per operation, server +
 * PostgreSQL. Others: the cores used by other programs meanwhile.
 */
export const tableOf = (verdicts: readonly Verdict[]): string =>
  [heads, heads.map((_, column) => (column < 3 ? '---' : '--:')), ...verdicts.map(lineOf)]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n')

const lineOf = ({ goal, standing, figure, ratio, ...verdict }: Verdict): string[] => {
  if (standing === 'void') return [marks.void, goal.id, goal.work, verdict.reason ?? '', ...Array<string>(8).fill('')]
  const { unit, better } = figures[goal.figure]
  const number = (value: number, unit: string) => (Number.isNaN(value) ? '' : short(value) + unit)
  const bound = (value?: number) =>
    value === undefined ? '' : `${better === 'more' ? '≥' : '≤'} ${short(value)}${goal.isRatio ? '' : unit}`
  const cpuRatio = Number.isNaN(verdict.cpuRatio) ? '' : ` (CPU ${verdict.cpuRatio.toFixed(2)})`
  const sides = ['ceiling', 'ours'] as const
  const cpu = sides.map(side => number(verdict.serverCpu[side], ` + ${short(verdict.postgresCpu[side])}`))
  return [
    marks[standing] + (verdict.decidedByCpu ? ' by CPU' : ''),
    goal.id,
    goal.work,
    goal.isRatio ? number(figure.ceiling, unit) : '',
    short(figure.ours) + unit,
    goal.isRatio ? ratio.toFixed(2) + cpuRatio : '',
    `${Math.round(verdict.spread * 100)} %`,
    bound(goal.floor),
    bound(goal.aim),
    sides
      .map(side => number(verdict.p99[side], ''))
      .filter(Boolean)
      .join(' → '),
    cpu.filter(Boolean).join(' → '),
    number(verdict.strangers, ''),
  ]
}

/** Three significant digits, or every digit of a large number. */
const short = (value: number): string => {
  if (!Number.isFinite(value)) return '?'
  if (value >= 100) return Math.round(value).toLocaleString('en').replaceAll(',', ' ')
  return String(Number(value.toPrecision(value < 10 ? 3 : 2)))
}
