import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openCeph } from './ceph.ts'
import { s3 } from './tools.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The key under which a test file requests the run's S3 server and finds its address (server/test/s3.ts). */
    s3: string
  }
}

/**
 * One S3 server per test run. It takes fifteen seconds to start: in a whole run it starts at once, so that no file
 * waits for it, and otherwise when the first file requests it.
 */
export default async (project: TestProject) => {
  const directory = await mkdtemp(join(tmpdir(), 'afterglow-s3-'))
  project.provide('s3', directory)
  let ceph: ReturnType<typeof openCeph> | undefined
  const start = async () => {
    ceph = openCeph(join(directory, 'ceph'))
    const said = await ceph.then(
      ({ endpoint }) => ({ endpoint }),
      fault => ({ fault: String(fault) }),
    )
    await writeFile(join(directory, 'answer.new'), JSON.stringify(said))
    await rename(join(directory, 'answer.new'), join(directory, 'answer'))
  }
  const isWhole = s3.path() !== undefined && project.config.env.ASKED === ''
  const watch = setInterval(() => {
    if (ceph || !(isWhole || existsSync(join(directory, 'wanted')))) return
    clearInterval(watch)
    void start()
  }, 50)
  return async () => {
    clearInterval(watch)
    await ceph?.then(
      ({ stop }) => stop(),
      () => {},
    )
    await rm(directory, { recursive: true, force: true })
  }
}
