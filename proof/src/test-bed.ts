import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ask, askerOf, type Reply } from './http.ts'
import { atTheLatest, until } from './instance/processes.ts'
import { type Edit, type ProofServiceOptions, type Service, startService } from './instance/service.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { type Listener, listen } from './listener.ts'
import { everybody, type Party, type Person, throwParty } from './people/party.ts'
import type { Random } from './random.ts'
import type { Report } from './report.ts'
import { wasStarved } from './starvation.ts'

/** The parameters of one run of a part: number of faults, seed, report, and the signal to end early. */
export type Run = {
  count: number
  random: Random
  report: Report
  /** The repository, or a copy of it with a bug in it. */
  root: string
  signal: AbortSignal
  /** The number of writers under load. */
  writers: number
  /** A bug planted in the service, which the part must find. */
  planted?: readonly Edit[]
}

/** One instance of the service with people in it, and everything the checks need. */
export type TestBed = {
  directory: string
  service: Service
  ask: Ask
  ledger: Ledger
  party: Party
  report: Report
  random: Random
  listeners: ReadonlyMap<Person, Listener>
  /** Until the fault ends, 503 is a right answer, everywhere or at these paths. */
  faultBegins(at?: RegExp): void
  faultEnds(at?: RegExp): void
  /** The address that clients use: the service, or a proxy before it. */
  address: string
  /** The longest pause between two acts of one person. */
  pauseMsMax?: number
}

export type Settings = Partial<Omit<ProofServiceOptions, 'directory' | 'root'>> & {
  /** Slows people down where faults last for seconds, because all they do must be checked. */
  leisurely?: true
  /** Opens a proxy that clients use instead of the service. */
  before?: (service: Service) => Promise<{ url: string; close(): Promise<void> }>
  /** Runs before the first start in the service's directory; resolves with its undo. */
  prepare?: (directory: string) => Promise<() => void>
}

/** Deleted in the end unless there are findings: those are investigated by the logs and the ledger. */
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

/** Runs a part on a fresh instance and disposes of it however the part ends. */
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
  /** A request sent during a fault may fail after it ended. */
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
