import { figures } from './figures.ts'
import type { Cpu, Verdict } from './verdict.ts'

const heads = [
  '',
  '#',
  'work / ceiling',
  'ceiling',
  'ours',
  'ratio',
  '±',
  'floor',
  'aim',
  'p99 ms',
  'CPU ceiling',
  'CPU ours',
  'others',
]
const marks = { aim: '✓✓', floor: '✓', below: '✗ below', void: '✗ void', told: '·' }

/**
 * The verdicts as a Markdown table, aligned for a terminal. CPU: µs an operation, server + PostgreSQL. Others: the cores
 * that programs outside of the bench took meanwhile.
 */
export const tableOf = (verdicts: readonly Verdict[]): string => {
  const lines = [heads, ...verdicts.map(lineOf)]
  const widths = heads.map((_, column) => Math.max(...lines.map(line => [...(line[column] ?? '')].length), 3))
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => padded(cell, widths[at] ?? 0, at)).join(' | ')} |`
  const rule = `|${widths.map((width, at) => (at < 3 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  const [head = [], ...rest] = lines
  return [row(head), rule, ...rest.map(row)].join('\n')
}

const padded = (cell: string, width: number, column: number) => {
  const space = ' '.repeat(Math.max(0, width - [...cell].length))
  return column < 3 ? cell + space : space + cell
}

const lineOf = (verdict: Verdict): string[] => {
  const { goal, standing, cpu } = verdict
  const { unit, better } = figures[goal.figure]
  const work = goal.ceiling === null ? goal.work : `${goal.work} / ${goal.ceiling}`
  if (standing === 'void') return [marks.void, goal.id, work, verdict.reason ?? '', ...Array<string>(9).fill('')]
  const bound = (value: number | undefined) =>
    value === undefined ? '' : `${better === 'more' ? '≥' : '≤'} ${short(value)}${goal.ceiling === null ? unit : ''}`
  return [
    marks[standing] + (verdict.decidedByCpu ? ' by CPU' : ''),
    goal.id,
    work,
    verdict.ceiling === null ? '' : `${short(verdict.ceiling)}${unit}`,
    `${short(verdict.ours)}${unit}`,
    goal.ceiling === null ? '' : ratioText(verdict),
    `${Math.round(verdict.spread * 100)} %`,
    bound(goal.floor),
    bound(goal.aim),
    p99Text(verdict),
    cpuText(cpu.ceiling),
    cpuText(cpu.ours),
    Number.isNaN(verdict.strangers) ? '' : verdict.strangers.toFixed(1),
  ]
}

const ratioText = ({ ratio, cpuRatio }: Verdict) =>
  cpuRatio === null ? ratio.toFixed(2) : `${ratio.toFixed(2)} (CPU ${cpuRatio.toFixed(2)})`

/** The ceiling's, and ours. */
const p99Text = ({ p99 }: Verdict) =>
  [p99.ceiling, p99.ours].flatMap(value => (value === null ? [] : short(value))).join(' → ')

const cpuText = (cpu: Cpu | null) => (cpu ? `${short(cpu.server || 0)} + ${short(cpu.postgres || 0)}` : '')

/** Three digits that matter, or every digit of a large number. */
export const short = (value: number): string => {
  if (!Number.isFinite(value)) return '?'
  if (value >= 100) return Math.round(value).toLocaleString('en').replaceAll(',', ' ')
  return String(Number(value.toPrecision(value < 10 ? 3 : 2)))
}
