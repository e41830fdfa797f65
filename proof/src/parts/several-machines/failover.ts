import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkEverything } from '../../checks/all.ts'
import { type Cluster, openCluster } from '../../instance/postgres.ts'
import { until } from '../../instance/processes.ts'
import { listen } from '../../listener.ts'
import type { Part } from '../../part.ts'
import { letWrite } from '../../people/people.ts'
import { onTestBed, type Run, type TestBed } from '../../test-bed.ts'

type Kind = 'synchronous' | 'lagging' | 'restored'
const kinds: readonly Kind[] = ['synchronous', 'lagging', 'restored']

/** One failover on an instance of its own, because it leaves a different history. */
const failOver = async (run: Run) => {
  for (let nth = 0; nth < run.count && !run.signal.aborted; nth++) {
    await onCluster(run, async (testBed, primary, directory) => {
      await failOverOnce(run, testBed, primary, directory, kinds[nth % kinds.length] as Kind)
      run.report.fault()
    })
  }
}

const onCluster = async (run: Run, work: (testBed: TestBed, primary: Cluster, directory: string) => Promise<void>) => {
  const directory = mkdtempSync(join(tmpdir(), 'afterglow-failover-'))
  await using closing = new AsyncDisposableStack()
  closing.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const primary = await openCluster(join(directory, 'primary'))
  closing.defer(() => primary.kill())
  await onTestBed(run, testBed => work(testBed, primary, directory), {
    databaseUrl: primary.url,
    secretsFile: join(directory, 'secrets.json'),
  })
}

const failOverOnce = async (run: Run, testBed: TestBed, primary: Cluster, directory: string, kind: Kind) => {
  const { ledger, report, listeners, party, ask, address } = testBed
  const { port } = primary
  const people = letWrite({ ...testBed, photos: false, mayLose: kind !== 'synchronous' })
  const written = async (acts: number) => {
    const before = people.count()
    await until(`${acts} acts`, () => people.count() >= before + acts)
  }
  await written(20)
  const next = await primary.copy(join(directory, 'next'), kind === 'restored' ? undefined : 'standby')
  await using _ = { [Symbol.asyncDispose]: () => next.kill() }
  if (kind !== 'restored') {
    await next.start()
    if (kind === 'synchronous') await primary.sql("alter system set synchronous_standby_names = '*'")
    await primary.sql('select pg_reload_conf()')
    await until('the standby follows', async () => (await primary.sql('select from pg_stat_replication')).length > 0)
  }
  await written(20)
  // A lagging standby receives nothing more from here on.
  if (kind === 'lagging') await next.kill()
  const held = listeners.get(party.organizer)?.cursor
  await written(run.random.whole(5, 30))
  testBed.faultBegins()
  const began = performance.now()
  await primary.kill()
  await next.kill()
  await next.start(kind === 'synchronous' ? ['synchronous_standby_names='] : [], port)
  if (kind !== 'restored') await next.promote()
  await people.goesOn('an act after the failover')
  report.took(`a ${kind} failover`, performance.now() - began)
  testBed.faultEnds()
  await written(10)
  await people.stop()

  const watched = [party.organizer, ...party.writers]
  await until('every listener is told to reload', () =>
    watched.every(person => (listeners.get(person)?.staleTimes ?? 0) > 0),
  ).catch((fault: Error) => report.found('I11', `after a ${kind} failover: ${fault.message}`))
  const late = listen(() => address, { token: party.organizer.token, ask, ...(held && { cursor: held }) })
  await until('who comes back is connected', () => late.isLive)
  report.checked(
    'I11',
    watched.length + 1,
    late.staleTimes > 0 ? [] : [`after a ${kind} failover a cursor from before it was taken for one of now`],
  )
  late.close()

  if (kind === 'synchronous') return await checkEverything(testBed)
  // Data lost with the old machine is lost completely, and no client may keep a ghost of it.
  const rows = await testBed.service.sql<{ content: string }>('select content from messages where deleted_at is null')
  const unknown = rows.filter(({ content }) => !ledger.attempts.has(content))
  report.checked(
    'I1',
    rows.length,
    unknown.map(({ content }) => `"${content}" is there, which nobody said`),
  )
  const gaps = await testBed.service.sql<{ id: number }>(
    'select c.id from group_chats c where c.last_sequence <> (select count(*) from messages m where m.group_chat_id = c.id)',
  )
  report.checked(
    'I2',
    2,
    gaps.map(({ id }) => `after a ${kind} failover chat ${id} is not 1, 2, 3 …`),
  )
}

export const failover: Part = {
  name: 'failover',
  promise: 'the database is replaced by a synchronous standby, by one that lagged, by a copy of an hour ago',
  of: 'failovers',
  slice: 3,
  full: 60,
  run: failOver,
}
