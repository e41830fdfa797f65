import { setTimeout as sleep } from 'node:timers/promises'
import { faultsUnderLoad, underLoad } from '../checks/all.ts'
import { commandOf, isAlive, patienceMs, signal, until } from '../instance/processes.ts'
import type { Part } from '../part.ts'
import type { People } from '../people/people.ts'
import { onTestBed, type Run, type TestBed } from '../test-bed.ts'

/** A process to kill with SIGKILL; `server`: the server dies with it. */
type Victim = { server: boolean; kill(testBed: TestBed): Promise<void> }

const victims = {
  server: { server: true, kill: ({ service }) => service.kill() },
  database: { server: false, kill: ({ service }) => service.killDatabase() },
  both: {
    server: true,
    kill: async ({ service }) => {
      await Promise.all([service.kill(), service.killDatabase()])
    },
  },
} satisfies Record<string, Victim>

const killing = (victim: Victim) => async (run: Run) => {
  await onTestBed(run, async testBed => {
    await underLoad(testBed, people => killOften(testBed, run, people, victim))
  })
}

const killOften = async (
  testBed: TestBed,
  { count, random, report, signal: ended }: Run,
  people: People,
  victim: Victim,
) => {
  for (let nth = 0; nth < count && !ended.aborted; nth++) {
    const acts = people.count() + random.whole(1, 30)
    await until('acts before the next kill', () => people.count() >= acts, patienceMs, 5)
    await sleep(random.whole(0, 250))
    testBed.faultBegins()
    try {
      const began = performance.now()
      await victim.kill(testBed)
      report.fault()
      if (victim.server) report.took('from the start to the first 200', await testBed.service.start())
      await people.goesOn('an act after the kill')
      report.took('from the kill to the next acknowledgement', performance.now() - began)
      if (!testBed.service.isUp()) {
        report.found('I12', `kill ${nth + 1} of ${victim.server ? 'the server' : 'the database'}: the server has ended`)
        await testBed.service.start()
      }
    } finally {
      testBed.faultEnds()
    }
    report.checked('I12', 1)
  }
}

/** Kills decoders at work: the uploader gets an answer, and the next picture is decoded. */
const killWorkers = async (run: Run) => {
  await onTestBed(run, async testBed => {
    await faultsUnderLoad(testBed, run, async people => {
      await sleep(run.random.whole(50, 400))
      const workers = await workersOf(testBed)
      if (workers.length === 0) return
      testBed.faultBegins()
      const victim = run.random.pick(workers)
      signal(victim, 'SIGKILL')
      await until('the worker is gone', () => !isAlive(victim))
      run.report.fault()
      const before = testBed.ledger.photos()
      const began = performance.now()
      await until('the next photo', () => testBed.ledger.photos() > before)
      run.report.took('from the kill to the next photo', performance.now() - began)
      run.report.checked('I12', 1, testBed.service.isUp() ? [] : [`the server ended with its worker ${victim}`])
      testBed.faultEnds()
      await people.goesOn('an act after the kill')
    })
  })
}

const workersOf = async ({ service }: TestBed) => {
  // PostgreSQL has workers of its own, and options named after them.
  const ofDatabase = /^postgres:|\/bin\/postgres\b/
  const isWorker = (pid: number) => {
    const command = commandOf(pid)
    return /worker|decod|ffmpeg/.test(command) && !ofDatabase.test(command)
  }
  await until('a worker runs', () => service.workers().some(isWorker), 20_000).catch(() => {})
  return service.workers().filter(isWorker)
}

export const kills: Part[] = [
  {
    name: 'server-killed',
    promise: 'the server is killed -9 at any moment',
    of: 'kills',
    slice: 8,
    full: 700,
    run: killing(victims.server),
  },
  {
    name: 'database-killed',
    promise: 'the database is killed -9 at any moment, and the server stays',
    of: 'kills',
    slice: 6,
    full: 300,
    run: killing(victims.database),
  },
  {
    name: 'both-killed',
    promise: 'server and database are killed -9 at once',
    of: 'kills',
    slice: 2,
    full: 200,
    run: killing(victims.both),
  },
  {
    name: 'workers-killed',
    promise: 'what decodes pictures is killed -9',
    of: 'kills',
    slice: 3,
    full: 100,
    run: killWorkers,
  },
]
