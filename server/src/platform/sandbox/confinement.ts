import { once } from 'node:events'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathOf } from '../process/find-program.ts'
import { killGroup, spawnConfined } from './confined-process.ts'

/**
 * A program with its arguments and its complete environment; `needs` are files and directories besides the system's own
 * that it consists of, `ownBytes` what its runtime reserves before it does anything.
 */
export type Command = {
  file: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  needs: readonly string[]
  ownBytes?: number
}

/** The files that a program may see besides itself, and its resource limits. */
export type Room = {
  reads: readonly string[]
  writes: readonly string[]
  /** CPU time of all threads together; null: unlimited. */
  cpuSeconds: number | null
  /** The size of a file that it writes. */
  fileBytesMax: number
  memoryBytesMax: number
}

/**
 * More than a stream may claim to need, because address space that is never touched counts here: a program's threads
 * and reservations. A file that lies ends at this.
 */
export const memoryBytesMax = 640 * 1024 ** 2

export type Confinement = {
  /** The walls around a program, described for an operator; time, memory and size limits always apply. */
  walls: readonly string[]
  /** No network, and no access to other processes or their memory; with bubblewrap, no other files either. */
  sandboxed: boolean
  /** Why no stronger wall could be used, for the log; empty if all could. */
  why: string
  /** The command that runs a command in its sandbox, with the environment to start it with. */
  around(command: Command, room: Room): ConfinedCommand
}

export type ConfinedCommand = { file: string; args: readonly string[]; env: Readonly<Record<string, string>> }

/** For a sentence: `bubblewrap and another user (65533)`. */
export const wallsOf = ({ walls }: Pick<Confinement, 'walls'>): string =>
  walls.length === 0 ? 'no wall but limits' : new Intl.ListFormat('en').format(walls)

export type OuterWall = 'bubblewrap' | 'namespaces' | 'none'

export type ConfinementOptions = {
  /** By default, a program only gets CPU that nobody else wants. */
  niceness?: number
  /** If we are root, the program runs as a user who owns nothing. It must not need files that are closed to others. */
  asNobody?: boolean
  /** Sandboxes to try, strongest first. */
  outer?: readonly OuterWall[]
}

const trialMs = 60_000

/** Not 65534, which runs the embedded database: a compromised program must not reach that. */
export const nobodyId = 65533

/** Libraries that programs link with. Debian resolves some through /etc/alternatives. */
const system = '/usr /lib /lib64 /lib32 /bin /sbin /etc/alternatives /etc/ld.so.cache /nix/store'.split(' ')

// Under autogrouping, a new session has its own share of the CPU, in which only that share's own nice value counts. The
// kernel takes one such value in a tenth of a second from all users but root.
const limiting = `for try in 1 2 3 4; do { echo "$1" > /proc/self/autogroup; } 2>/dev/null && break; test -e /proc/self/autogroup || break; sleep 0.1; done
ulimit -c 0; ulimit -s 1024; ulimit -t "$2"; ulimit -f "$3"; ulimit -d "$4"; ulimit -n 256; niceness=$1; shift 4; exec nice -n "$niceness" "$@"`

type Programs = { bwrap?: string | undefined; unshare?: string | undefined; setpriv?: string | undefined }
type Walls = { walls: string[]; sandboxed: boolean; inside(command: Command, room: Room): string[] }

/** Determines once what this host allows a program: the strongest walls behind which `trial` succeeds. */
export const openConfinement = async (
  trial: Command,
  { niceness = 19, asNobody = false, outer = ['bubblewrap', 'namespaces', 'none'] }: ConfinementOptions = {},
): Promise<Confinement> => {
  const [bwrap, unshare, setpriv] = await Promise.all(['bwrap', 'unshare', 'setpriv'].map(pathOf))
  const programs = { bwrap, unshare, setpriv }
  const isRoot = process.getuid?.() === 0
  const why: string[] = []
  for (const wall of outer) {
    // A directory tree that is closed to others cannot be read after dropping root.
    for (const drops of isRoot && asNobody && setpriv ? [true, false] : [false]) {
      const built = buildWalls[wall](programs, { isRoot, drops })
      if (typeof built === 'string') {
        why.push(built)
        break
      }
      const { walls, sandboxed, inside } = built
      const confinement = { walls, sandboxed, why: why.join('; '), around: limited(niceness, inside) }
      const fault = await faultOf(confinement, trial)
      if (fault === null) return confinement
      why.push(`${wall === 'none' ? 'the program' : wall} may not run here: ${fault}`)
    }
  }
  const plain = limited(niceness, ({ file, args }) => [file, ...args])
  return { walls: [], sandboxed: false, why: why.join('; '), around: plain }
}

/** Started as everything will be: in our own session, it would take the CPU from us. */
const faultOf = async ({ around }: Confinement, trial: Command): Promise<string | null> => {
  const child = spawnConfined(around(trial, { reads: [], writes: [], cpuSeconds: 30, fileBytesMax: 0, memoryBytesMax }))
  child.stdin.end()
  const overdue = setTimeout(() => killGroup(child.pid), trialMs)
  try {
    const [said, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'close'), text(child.stdout)])
    if (code === 0) return null
    return (said.trim().split('\n')[0] || `it ended with ${signal ?? code}`).slice(0, 200)
  } catch (error) {
    return (error as Error).message.slice(0, 200)
  } finally {
    clearTimeout(overdue)
  }
}

const limited =
  (niceness: number, inside: Walls['inside']): Confinement['around'] =>
  (command, room) => ({
    file: '/bin/sh',
    args: [
      '-c',
      limiting,
      'sh',
      String(niceness),
      room.cpuSeconds === null ? 'unlimited' : String(Math.ceil(room.cpuSeconds)),
      String(Math.ceil(room.fileBytesMax / 512)),
      String(Math.ceil((room.memoryBytesMax + (command.ownBytes ?? 0)) / 1024)),
      ...inside(command, room),
    ],
    env: command.env ?? {},
  })

const somebodyElse = `--reuid=${nobodyId} --regid=${nobodyId} --clear-groups --inh-caps=-all --no-new-privs`.split(' ')
/** Root, restricted to the files that root owns. */
const powerless = ['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs']
const toldElse = (drops: boolean) => (drops ? [`another user (${nobodyId})`] : [])

type Rank = { isRoot: boolean; drops: boolean }

const buildWalls: Record<OuterWall, (programs: Programs, rank: Rank) => Walls | string> = {
  bubblewrap: ({ bwrap, setpriv }, { isRoot, drops }) =>
    bwrap === undefined
      ? 'bubblewrap (bwrap) is not installed'
      : {
          walls: ['bubblewrap', ...toldElse(drops)],
          sandboxed: true,
          inside: (command, room) => [
            bwrap,
            ...bubble(command, room),
            // Root creates these without a user namespace, in which the user could not be changed.
            ...(isRoot && drops
              ? [...apart, '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--', setpriv ?? '', ...somebodyElse]
              : ['--unshare-all', '--']),
            command.file,
            ...command.args,
          ],
        },

  namespaces: ({ unshare, setpriv }, { isRoot, drops }) =>
    unshare === undefined || setpriv === undefined
      ? 'util-linux (unshare, setpriv) is not installed'
      : {
          walls: ['namespaces of its own', ...toldElse(drops)],
          sandboxed: true,
          inside: ({ file, args }) => [
            ...[setpriv, '--pdeathsig', 'KILL', '--', unshare, ...(isRoot ? [] : ['--user', '--map-current-user'])],
            ...'--net --ipc --pid --uts --fork --kill-child --mount-proc --'.split(' '),
            ...[setpriv, ...(drops ? somebodyElse : isRoot ? powerless : ['--no-new-privs']), '--', file, ...args],
          ],
        },

  none: ({ setpriv }, { isRoot, drops }) => ({
    walls: toldElse(drops),
    sandboxed: false,
    // The kernel ends the program with us, even after kill -9.
    inside: ({ file, args }) =>
      setpriv
        ? [
            ...[setpriv, ...(drops ? somebodyElse : isRoot ? powerless : ['--no-new-privs'])],
            ...['--pdeathsig', 'KILL', '--', file, ...args],
          ]
        : [file, ...args],
  }),
}

const apart = ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try']

const bubble = ({ env = {}, needs }: Command, { reads, writes }: Room): string[] => [
  '--die-with-parent',
  '--clearenv',
  ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ...['--cap-drop', 'ALL'],
  // Directories created only for their contents would be closed to others.
  ...['/dev', ...directoriesAbove([...system, ...needs, ...reads, ...writes])].flatMap(path => ['--dir', path]),
  ...system.flatMap(path => ['--ro-bind-try', path, path]),
  ...['--dev-bind-try', '/dev/null', '/dev/null', '--dev-bind-try', '/dev/urandom', '/dev/urandom'],
  ...[...needs, ...reads].flatMap(path => ['--ro-bind', path, path]),
  ...writes.flatMap(path => ['--bind', path, path]),
  // The root itself is in memory: if it were writable, a program could fill that.
  ...['--remount-ro', '/', '--chdir', '/'],
]

const directoriesAbove = (paths: readonly string[]): string[] => {
  const found = new Set<string>()
  const climb = (path: string) => {
    const above = dirname(path)
    if (above === path || above === '/' || found.has(above)) return
    climb(above)
    found.add(above)
  }
  for (const path of paths) climb(path)
  return [...found]
}
