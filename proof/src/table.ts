import type { PartResult } from './prove.ts'
import { type Invariant, invariants, percentile } from './report.ts'

/** One row per part; every 0 stands beside its n. */
export const tableOf = (all: readonly PartResult[]): string => {
  const rows = all.map(({ part, report, seconds, left, broke }) => {
    if (left) return `| ${part.name} | left out: ${left.words} | | | |`
    const held = [...report.things].sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)))
    const checks = held.map(([invariant, n]) => `${invariant} ${findingsOf(report, invariant)}/${n}`).join(', ')
    const found = broke ? `${report.findings.length}, and it broke off` : String(report.findings.length)
    return `| ${part.name} | ${report.faults} ${part.of} | ${report.acknowledged} | ${found} | ${checks} | ${timesOf(report)} | ${seconds.toFixed(0)} s |`
  })
  return [
    '| Part | Faults | Acknowledged acts | Findings | Of so many checks | Times | Took |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

const findingsOf = ({ findings }: PartResult['report'], invariant: Invariant) =>
  findings.filter(one => one.invariant === invariant).length

const timesOf = ({ times }: PartResult['report']) =>
  [...times]
    .map(
      ([what, values]) =>
        `${what}: ${[0.5, 0.99].map(share => (percentile(values, share) / 1000).toFixed(2)).join(' / ')} s`,
    )
    .join('; ')

/** The first counterexample of each invariant, as a sentence. */
export const counterexamples = ({ part, seed, count, report, broke }: PartResult): string[] => {
  const first = new Map(report.findings.toReversed().map(({ invariant, words }) => [invariant, words]))
  const again = `npm run proof -- --part ${part.name} --count ${count} --seed ${seed}`
  return [
    ...[...first].map(
      ([invariant, words]) => `✗ ${part.name}, ${invariant} (${invariants[invariant]}): ${words}. Again: ${again}`,
    ),
    ...(broke ? [`✗ ${part.name} broke off: ${broke}. Again: ${again}`] : []),
  ]
}

/** Noteworthy observations that break no promise. */
export const notesOf = ({ part, report }: PartResult): string[] => report.notes.map(words => `  ${part.name}: ${words}`)
