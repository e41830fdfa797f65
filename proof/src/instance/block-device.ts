import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MissingTool, missingTool } from '../missing-tool.ts'
import { missingOf, signal, until } from './processes.ts'

/** A disk that loses unflushed writes when its power is cut, as real disks do. */
export type VolatileDisk = {
  /** Cuts the power: everything in the disk's volatile cache is lost. */
  cut(): void
  /** Unmounts the dead disk; no process may have a file open on it. */
  unplug(): void
  /** Restores power: the same disk, with everything that was flushed. */
  plug(): Promise<void>
}

const programs = ['nbdkit', 'nbdfuse', 'losetup', 'mkfs.ext4', 'e2fsck', 'mount', 'umount']

export type Failing = VolatileDisk & { fail(fails: boolean): void }

/** Explains why this machine cannot provide one; undefined if it can. */
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

type DiskLocation = { home: string; mountPoint: string; megabytes: number }

/**
 * The backing files are below `home`, the empty filesystem at `mountPoint`. nbdkit's memory acts as the disk's cache:
 * it is written out only on a flush.
 */
export const openVolatileDisk = (place: DiskLocation): Promise<VolatileDisk> =>
  openDisk(place, ['--filter=cache'], ['cache=writeback'])

/**
 * A disk that, while failing, answers every other request with EIO. The kernel reports a failed write on the next
 * flush.
 */
export const openFailingDisk = async (place: DiskLocation): Promise<Failing> => {
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
  { home, mountPoint, megabytes }: DiskLocation,
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
    // The filesystem's journal repairs half-done writes, as at every boot.
    if (!isNew) spawnSync('e2fsck', ['-p', loop])
    if (isNew) run('mkfs.ext4', '-q', '-E', 'nodiscard', loop)
    // Without it, ext4 loses flushed data after a write failed and was then repeated (docs/proof.md).
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
