import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { underLoad } from '../checks/all.ts'
import { type Clock, lacksClock, openClock } from '../instance/clock.ts'
import { until } from '../instance/processes.ts'
import { onTwoProcesses } from '../instance/two-processes.ts'
import type { Part } from '../part.ts'
import type { People } from '../people/people.ts'
import type { Run, TestBed } from '../test-bed.ts'

type Clocks = { first: Clock; second: Clock; database: Clock }

const hour = 3600
const skews: readonly [name: string, of: Partial<Record<keyof Clocks, number>>][] = [
  ['the first process was an hour ahead, and the second an hour behind', { first: hour, second: -hour }],
  ['the clock of a process jumped an hour back', { first: -hour }],
  ['the clock of the database jumped an hour ahead', { database: hour }],
  ['the clock of the database jumped an hour back', { database: -hour }],
]
/** The ends of summer time in Madrid and New York. */
const changes = ['2026-10-25T01:00:00Z', '2026-11-01T06:00:00Z'].map(text => Date.parse(text))

/** Wrong clocks for some seconds at a time, then right again; then the hours that occur twice. */
const shiftClocks = async (run: Run) => {
  const changing = Math.floor(run.count / (skews.length + 1))
  await onClocks(run, 0, async (clocks, people, testBed) => {
    for (let nth = 0; nth < run.count - changing && !run.signal.aborted; nth++) {
      const [name, of] = skews[nth % skews.length] as (typeof skews)[number]
      const settled = of.database === undefined ? () => {} : limitsFire(testBed)
      for (const [whose, seconds] of Object.entries(of)) clocks[whose as keyof Clocks].shift(seconds)
      await actsAfter(run, people, name)
      for (const whose of Object.keys(of)) clocks[whose as keyof Clocks].shift(0)
      await actsAfter(run, people, `and the clocks were right again, after ${name}`)
      settled()
      run.report.fault()
    }
  })
  for (let nth = 0; nth < changing && !run.signal.aborted; nth++) {
    const change = changes[nth % changes.length] as number
    const secondsTo = () => (change - Date.now()) / 1000
    // Starts a quarter of an hour before the change to let people join, then two seconds before it.
    await onClocks(run, secondsTo() - 900, async (clocks, people, testBed) => {
      const settled = limitsFire(testBed)
      const seconds = secondsTo() - 2
      for (const clock of Object.values(clocks)) clock.shift(seconds)
      await sleep(3000)
      await actsAfter(run, people, 'an hour came for the second time')
      settled()
      run.report.fault()
    })
  }
}

/**
 * PostgreSQL's timeouts follow the wall clock: one that jumps ahead cancels running statements, which is a temporary
 * refusal.
 */
const limitsFire = (testBed: TestBed) => {
  testBed.faultBegins()
  return () => testBed.faultEnds()
}

const actsAfter = async ({ random, report }: Run, people: People, what: string) => {
  const before = people.count()
  // The service caches clock-dependent values for a second.
  await sleep(random.whole(1500, 4000))
  await until(`acts after ${what}`, () => people.count() > before + 10)
  report.checked('I12', 1)
}

type Work = (clocks: Clocks, people: People, testBed: TestBed) => Promise<void>

const onClocks = async (run: Run, begins: number, work: Work) => {
  const directory = mkdtempSync(join(tmpdir(), 'afterglow-clocks-'))
  using _ = { [Symbol.dispose]: () => rmSync(directory, { recursive: true }) }
  // The database runs as an unprivileged user and must read its directory.
  chmodSync(directory, 0o755)
  const clockOf = (name: keyof Clocks) => openClock(join(directory, name))
  const clocks: Clocks = { first: clockOf('first'), second: clockOf('second'), database: clockOf('database') }
  for (const clock of Object.values(clocks)) clock.shift(begins)
  await onTwoProcesses(
    run,
    testBed => underLoad(testBed, people => work(clocks, people, testBed)),
    nth => {
      const [{ env }, TZ] = nth === 0 ? [clocks.first, 'Europe/Madrid'] : [clocks.second, 'America/New_York']
      return { env: { ...env, TZ: TZ as string } }
    },
    clocks.database.env,
  )
}

export const clocks: Part = {
  name: 'clocks',
  promise: 'clocks of processes and database are an hour apart, jump, and have an hour twice',
  of: 'times',
  slice: 5,
  full: 60,
  lacks: lacksClock,
  run: shiftClocks,
}
