import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { pathOf } from './program.ts'
import type { Command } from './tool.ts'

/** The files that a program may see beside itself, and what it may take. */
export type Room = {
  reads: readonly string[]
  writes: readonly string[]
  /** Of processor time, of all threads together. */
  cpuSeconds: number
  /** Of a file that it writes. */
  fileBytesMax: number
  memoryBytesMax: number
}

/**
 * More than what a stream may claim to need, as address space that nothing touches counts here: threads of a program and
 * what it was reserved. A file that lies ends at this.
 */
export const memoryBytesMax = 640 * 1024 ** 2

export type Confinement = {
  /** No network, no other file and no other process to be seen; else only the limits hold. */
  sandboxed: boolean
  /** Why it is not, for the log. */
  why: string
  /** The command that runs a command in its room. */
  around(command: Command, room: Room): { file: string; args: string[] }
}

// What programs are linked with. Debian resolves some libraries by /etc/alternatives.
const system = '/usr /lib /lib64 /lib32 /bin /sbin /etc/alternatives /etc/ld.so.cache /nix/store'.split(' ')

// A new session has its own share of the processor under autogrouping, where only that share's own nice counts.
const limiting = `{ echo "$1" > /proc/self/autogroup; } 2>/dev/null
ulimit -c 0; ulimit -s 1024; ulimit -t "$2"; ulimit -f "$3"; ulimit -d "$4"; ulimit -n 256; niceness=$1; shift 4; exec nice -n "$niceness" "$@"`

/** Finds out once what this host allows a program. By default it gets only what of the processor nobody else wants. */
export const openConfinement = async (trial: Command, { niceness = 19 } = {}): Promise<Confinement> => {
  const limited = limiter(niceness)
  const [bwrap, setpriv] = await Promise.all([pathOf('bwrap'), pathOf('setpriv')])
  // Without a sandbox to do it, the kernel ends the program with us, also after kill -9.
  const withUs = setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : []
  const plain = { sandboxed: false, around: limited(({ file, args }) => [...withUs, file, ...args]) }
  if (!bwrap) return { ...plain, why: 'bubblewrap (bwrap) is not installed' }
  const sandbox = { sandboxed: true, why: '', around: limited((command, room) => [bwrap, ...walls(command, room)]) }
  const { file, args } = sandbox.around(trial, {
    reads: [],
    writes: [],
    cpuSeconds: 30,
    fileBytesMax: 0,
    memoryBytesMax,
  })
  try {
    await promisify(execFile)(file, args, { env: {}, timeout: 60_000 })
    return sandbox
  } catch (error) {
    return { ...plain, why: `bubblewrap may not run here: ${String((error as Error).message).slice(-200)}` }
  }
}

const limiter =
  (niceness: number) =>
  (inside: (command: Command, room: Room) => string[]): Confinement['around'] =>
  (command, room) => ({
    file: '/bin/sh',
    args: [
      '-c',
      limiting,
      'sh',
      String(niceness),
      String(Math.ceil(room.cpuSeconds)),
      String(Math.ceil(room.fileBytesMax / 512)),
      String(Math.ceil((room.memoryBytesMax + (command.ownBytes ?? 0)) / 1024)),
      ...inside(command, room),
    ],
  })

const walls = ({ file, args, needs }: Command, { reads, writes }: Room): string[] => [
  '--unshare-all',
  '--die-with-parent',
  '--clearenv',
  ...['--cap-drop', 'ALL'],
  ...system.flatMap(path => ['--ro-bind-try', path, path]),
  ...['--dev-bind-try', '/dev/null', '/dev/null', '--dev-bind-try', '/dev/urandom', '/dev/urandom'],
  ...[...needs, ...reads].flatMap(path => ['--ro-bind', path, path]),
  ...writes.flatMap(path => ['--bind', path, path]),
  // The root itself lies in memory: writing there would be a way to take all of it.
  ...['--remount-ro', '/', '--chdir', '/', '--', file, ...args],
]
