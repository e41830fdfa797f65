import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ask, askerOf, type Reply } from './http.ts'
import { atTheLatest, until } from './instance/processes.ts'
import { type Edit, type Opening, type Service, startService } from './instance/service.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { type Listener, listen } from './listener.ts'
import { everybody, type Party, type Person, throwParty } from './people/party.ts'
import type { Random } from './random.ts'
import type { Report } from './report.ts'
import { wasStarved } from './starvation.ts'

/** What a part is given: how often, by which seed, where to write what it saw, and when to end early. */
export type Run = {
  count: number
  random: Random
  report: Report
  /** The repository, or a copy of it with a bug in it. */
  root: string
  signal: AbortSignal
  /** Writers under load. */
  writers: number
  /** A bug planted in the service, which must be found. */
  planted?: readonly Edit[]
}

/** One instance of the service with people in it, and everything that will be held against it. */
export type TestBed = {
  directory: string
  service: Service
  ask: Ask
  ledger: Ledger
  party: Party
  report: Report
  random: Random
  listeners: ReadonlyMap<Person, Listener>
  /** Between these two a fault makes work impossible, everywhere or at these paths: 503 is right then. */
  faultBegins(at?: RegExp): void
  faultEnds(at?: RegExp): void
  /** Where clients go: the service itself, or what stands before it. */
  address: string
  /** Between two acts of one person, at most. */
  pauseMsMax?: number
}

export type Settings = Partial<Omit<Opening, 'directory' | 'root'>> & {
  /** Where faults last for seconds, people need not fill them: whatever they do has to be checked. */
  leisurely?: true
  /** Clients go there instead of to the service. */
  before?: (service: Service) => Promise<{ url: string; close(): Promise<void> }>
  /** Before the first start, in the directory where the service will live; resolves with what undoes it. */
  prepare?: (directory: string) => Promise<() => void>
}

/** Removed in the end; kept after findings, which are looked into by logs and by the ledger of what was acknowledged. */
export const openDirectory = ({ report, planted }: Run, closing: AsyncDisposableStack, name: string): string => {
  const directory = mkdtempSync(join(tmpdir(), name))
  const before = report.findings.length
  closing.defer(() => {
    if (report.findings.length > before && !planted) report.note(`logs, ledger and files are kept in ${directory}`)
    else rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  return directory
}

const everywhere = /./
const afterwardsMs = 1000

/** Runs a part's work on a fresh instance, and takes everything away however it ends. */
export const onTestBed = async (
  run: Run,
  work: (testBed: TestBed) => Promise<void>,
  settings: Settings = {},
): Promise<void> => {
  await using closing = new AsyncDisposableStack()
  const directory = openDirectory(run, closing, 'afterglow-proof-')
  const undo = await settings.prepare?.(directory)
  const forget = undo && atTheLatest(undo)
  closing.defer(() => {
    forget?.()
    undo?.()
  })
  const service = await startService({
    ...settings,
    edits: [...(settings.edits ?? []), ...(run.planted ?? [])],
    directory,
    root: run.root,
  })
  closing.defer(() => service.close())
  const proxy = await settings.before?.(service)
  if (proxy) closing.defer(() => proxy.close())
  const address = proxy?.url ?? service.url

  const faults: { at: RegExp; endedAt: number }[] = []
  /** What was asked during a fault may wait for it and fail when it is over. */
  const mayFail = (path: string, askedAt: number) =>
    faults.some(({ at, endedAt }) => askedAt < endedAt + afterwardsMs && at.test(path))
  let replies = 0
  const witness = ({ status, body }: Reply, method: string, path: string, askedAt: number) => {
    replies += 1
    if (status === 500) run.report.found('I9', `${method} ${path} answered 500: ${JSON.stringify(body).slice(0, 200)}`)
    else if (status > 500 && !mayFail(path, askedAt) && !wasStarved())
      run.report.found('I9', `${method} ${path} answered ${status} while nothing was broken`)
  }
  const { ask, close } = askerOf(() => address, witness)
  closing.defer(close)
  closing.defer(() => run.report.checked('I9', replies))
  const ledger = openLedger(join(directory, 'ledger.jsonl'))
  closing.defer(() => run.report.acts(ledger.count()))
  closing.defer(() => ledger.close())

  const party = await throwParty(ask, run.writers)
  const listeners = new Map<Person, Listener>()
  for (const person of everybody(party)) {
    const listener = listen(() => address, { token: person.token, ask })
    listeners.set(person, listener)
    closing.defer(() => listener.close())
  }
  await until('every channel is open', () => [...listeners.values()].every(({ isLive }) => isLive))
  await work({
    directory,
    service,
    ask,
    ledger,
    party,
    report: run.report,
    random: run.random,
    listeners,
    address,
    ...(settings.leisurely && { pauseMsMax: 250 }),
    faultBegins(at = everywhere) {
      faults.push({ at, endedAt: Number.POSITIVE_INFINITY })
    },
    faultEnds(at = everywhere) {
      for (const fault of faults) if (fault.at === at) fault.endedAt = Math.min(fault.endedAt, Date.now())
    },
  })
}
