import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MissingTool, missingTool } from '../missing-tool.ts'
import { missingOf, signal, until } from './processes.ts'

/** A disk that forgets what was not flushed when its power goes, as real ones do. */
export type VolatileDisk = {
  /** The power goes: what lies in the disk's own memory is lost, whoever wrote it. */
  cut(): void
  /** Takes down what hangs on the dead disk; nobody may have a file open there any more. */
  unplug(): void
  /** Power again: the same disk, with what it had flushed. */
  plug(): Promise<void>
}

const programs = ['nbdkit', 'nbdfuse', 'losetup', 'mkfs.ext4', 'e2fsck', 'mount', 'umount']

export type Failing = VolatileDisk & { fail(fails: boolean): void }

/** Why there can be none here; undefined when there can. */
export const lacksBlockDevice = (): MissingTool | undefined => {
  const missing = missingOf(programs)
  if (missing.length > 0) return missingTool(missing.join(', '), 'nbdkit nbdfuse libnbd-bin fuse3 e2fsprogs')
  if (process.getuid?.() !== 0) return missingTool('only root may use loop devices')
  if (!existsSync('/dev/fuse') || spawnSync('losetup', ['-f']).status !== 0)
    return missingTool('loop devices are not allowed here')
  return undefined
}

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    .toString()
    .trim()

type Place = { home: string; mountPoint: string; megabytes: number }

/** Below `home` its parts, at `mountPoint` its filesystem, empty. nbdkit's memory is the disk's: it is written out at a flush only. */
export const openVolatileDisk = (place: Place): Promise<VolatileDisk> =>
  openDisk(place, ['--filter=cache'], ['cache=writeback'])

/** A disk of which, while it fails, every other request ends with EIO: a write is told to whoever flushes it. */
export const openFailingDisk = async (place: Place): Promise<Failing> => {
  const failing = join(place.home, 'failing')
  const disk = await openDisk(place, ['--filter=error'], ['error=EIO', 'error-rate=50%', `error-file=${failing}`])
  return {
    ...disk,
    fail(fails) {
      if (fails) writeFileSync(failing, '')
      else rmSync(failing, { force: true })
    },
  }
}

const openDisk = async (
  { home, mountPoint, megabytes }: Place,
  filters: readonly string[],
  parameters: readonly string[],
): Promise<VolatileDisk> => {
  mkdirSync(home, { recursive: true })
  mkdirSync(mountPoint, { recursive: true })
  const [image, socket, fuse] = [join(home, 'disk'), join(home, 'nbd.socket'), join(home, 'fuse')]
  mkdirSync(fuse)
  run('truncate', '-s', `${megabytes}M`, image)
  let server: ChildProcess | undefined
  let bridge: ChildProcess | undefined
  let loop = ''

  const plug = async (isNew = false) => {
    spawnSync('rm', ['-f', socket])
    server = spawn('nbdkit', ['-f', '-U', socket, ...filters, 'file', image, ...parameters], {
      stdio: 'ignore',
    })
    await until('the disk has power', () => existsSync(socket))
    bridge = spawn('nbdfuse', [fuse, `nbd+unix:///?socket=${socket}`], { stdio: 'ignore' })
    await until('the disk is there', () => existsSync(join(fuse, 'nbd')))
    loop = run('losetup', '-f', '--show', join(fuse, 'nbd'))
    // What a failed write left half done is made whole by the filesystem's own journal, as at every start of a machine.
    if (!isNew) spawnSync('e2fsck', ['-p', loop])
    if (isNew) run('mkfs.ext4', '-q', '-E', 'nodiscard', loop)
    // Without it ext4 forgets what was flushed after a write failed and then succeeded (docs/proof.md).
    run('mount', '-t', 'ext4', '-o', 'data_err=abort', loop, mountPoint)
  }
  await plug(true)
  return {
    cut() {
      if (server?.pid) signal(server.pid, 'SIGKILL')
    },
    unplug() {
      if (server?.pid) signal(server.pid, 'SIGKILL')
      if (bridge?.pid) signal(bridge.pid, 'SIGKILL')
      spawnSync('umount', ['-l', mountPoint])
      if (loop) spawnSync('losetup', ['-d', loop])
      spawnSync('umount', ['-l', fuse])
    },
    plug: () => plug(),
  }
}
