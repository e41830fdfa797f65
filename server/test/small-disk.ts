import { execFileSync } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'
import { rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { whenDone } from './when-done.ts'

export type SmallDisk = {
  path: string
  /** Fills the disk until hardly more than this is left. */
  fill(leaving: number): Promise<void>
  makeRoom(): Promise<void>
}

let made = 0

/**
 * A filesystem of this size, removed after the test file; undefined without the right to mount, which only root has.
 */
export const smallDisk = (bytes: number): SmallDisk | undefined => {
  made += 1
  const path = join(tmpdir(), `afterglow-full-${process.pid}-${made}`)
  try {
    mkdirSync(path)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmdirSync(path)
    return undefined
  }
  whenDone(() => {
    // A process that still has a file open there ends later.
    execFileSync('umount', ['--lazy', path])
    rmdirSync(path)
  })
  const filler = join(path, 'filler')
  return {
    path,
    async fill(leaving) {
      const { bavail, bsize } = await statfs(path)
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - leaving)))
    },
    makeRoom: () => rm(filler, { force: true }),
  }
}
