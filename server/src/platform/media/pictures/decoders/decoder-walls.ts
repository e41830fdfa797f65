import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packagesWith } from '../../../process/find-program.ts'
import { onFirstUse } from '../../../process/first-use.ts'
import {
  type Command,
  type Confinement,
  type ConfinementOptions,
  memoryBytesMax,
  openConfinement,
  type Room,
} from '../../../sandbox/confinement.ts'

const realProgram = fileURLToPath(new URL('../picture-worker.ts', import.meta.url))
const server = fileURLToPath(new URL('../../../../../', import.meta.url))

/** Node's heaps and threads, most of them never touched. */
const nodeBytes = 1024 ** 3

/**
 * It writes no files and reads none but its own program: pictures come and go through its standard input and output.
 */
export const decoderRoom: Room = {
  reads: [],
  writes: [],
  cpuSeconds: null,
  fileBytesMax: 0,
  memoryBytesMax: Math.max(memoryBytesMax, 2 * 1024 ** 3),
}

/**
 * Node's permission model only holds while what runs is JavaScript: a compromised libvips ignores it. It is the last
 * wall, and the only one where a host allows no other.
 */
export const decoderCommand = (args: readonly string[], program = realProgram): Command => {
  const node = realpathSync(process.execPath)
  const files = [
    packagesWith('sharp'),
    ...['node_modules', 'package.json', 'src'].map(name => join(server, name)),
    dirname(program),
  ].filter(path => path !== undefined && existsSync(path)) as string[]
  return {
    file: node,
    args: [
      ...['--permission', '--allow-addons', '--disable-warning=SecurityWarning'],
      ...files.map(path => `--allow-fs-read=${path}`),
      ...['--max-old-space-size=128', '--max-semi-space-size=1', '--v8-pool-size=1', '--expose-gc'],
      ...[program, ...args],
    ],
    // Pipelines run one after another, so one thread starts them. A single arena that returns large blocks to the
    // system, and a collection after each picture (see the program), keep two decoders of 12 MP photos at 210 MiB
    // together: without the thresholds it is 240, without the arena and the collection 420.
    env: {
      UV_THREADPOOL_SIZE: '1',
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
      MALLOC_TRIM_THRESHOLD_: String(1024 * 1024),
    },
    needs: [dirname(node), ...files],
    ownBytes: nodeBytes,
  }
}

/** Decoding must not take the CPU from requests, but somebody is waiting for it. */
const niceness = 10

/** The same with only these outer walls to choose from. */
export const openDecoderWalls = async (options: Pick<ConfinementOptions, 'outer'> = {}): Promise<Confinement> => {
  const confinement = await openConfinement(decoderCommand(['trial']), { niceness, asNobody: true, ...options })
  return { ...confinement, walls: [...confinement.walls, "Node's permission model"] }
}

/** The sandbox for picture decoders on this host, determined when first needed. */
export const decoderWalls = onFirstUse(openDecoderWalls)
