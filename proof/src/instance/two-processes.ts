import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestBed, openDirectory, type Run, type TestBed } from '../test-bed.ts'
import { openBalancer } from './balancer.ts'
import { type Cluster, openCluster } from './postgres.ts'
import { type ProofServiceOptions, type Service, startService } from './service.ts'

/** The parts that both processes share, and the stack that disposes of them. */
export type Common = { directory: string; cluster: Cluster; closing: AsyncDisposableStack }
export type Two = readonly [first: Service, second: Service]
export type OwnSettings = Pick<ProofServiceOptions, 'env'>

/** Starts two processes over one database and one media directory behind a proxy; their settings may differ. */
export const onTwoProcesses = async (
  run: Run,
  work: (testBed: TestBed, two: Two, common: Common) => Promise<void>,
  ownSettings: (nth: 0 | 1, common: Common) => Promise<OwnSettings> | OwnSettings = () => ({}),
  databaseEnv: Record<string, string> = {},
): Promise<void> => {
  await using closing = new AsyncDisposableStack()
  const directory = openDirectory(run, closing, 'afterglow-two-')
  const cluster = await openCluster(join(directory, 'cluster'), databaseEnv)
  closing.defer(() => cluster.kill())
  const common = { directory, cluster, closing }
  const mediaDir = join(directory, 'media')
  mkdirSync(mediaDir)
  const openingOf = async (nth: 0 | 1) => {
    const { env, ...own } = await ownSettings(nth, common)
    return {
      ...own,
      env: { MEDIA_DIR: mediaDir, ...env },
      databaseUrl: cluster.url,
      secretsFile: join(directory, 'secrets.json'),
    }
  }
  let two: Two
  await onTestBed(run, testBed => work(testBed, two, common), {
    ...(await openingOf(0)),
    leisurely: true,
    async before(first) {
      const opening = { ...(await openingOf(1)), directory: join(directory, 'second'), root: run.root }
      const second = await startService({ ...opening, ...(run.planted && { edits: run.planted }) })
      closing.defer(() => second.close())
      two = [first, second]
      return openBalancer(() => [first.port, second.port])
    },
  })
}
