import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultsUnderLoad, underLoad } from '../checks/all.ts'
import type { Reply } from '../http.ts'
import { type Failing, lacksBlockDevice, openFailingDisk } from '../instance/block-device.ts'
import { until } from '../instance/processes.ts'
import { type MissingTool, missingTool } from '../missing-tool.ts'
import type { Part } from '../part.ts'
import { runProgram } from '../people/operator.ts'
import type { Person } from '../people/party.ts'
import { pictureOf } from '../people/pictures.ts'
import { onTestBed, type Run, type TestBed } from '../test-bed.ts'

const diskBytes = 700 * 2 ** 20

/** Why no filesystem of its own can be mounted here. */
const lacksMount = (): MissingTool | undefined => {
  const path = mkdtempSync(join(tmpdir(), 'afterglow-mount-'))
  try {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]).status !== 0)
      return missingTool('filesystems may not be mounted here')
    execFileSync('umount', [path])
    return undefined
  } finally {
    rmdirSync(path)
  }
}

/** The disk under everything fills up while people write: clean refusals, reads go on, and all is well when there is room. */
const fillDisk = async (run: Run) => {
  await onTestBed(
    run,
    async testBed => {
      await faultsUnderLoad(testBed, run, async people => {
        const acts = people.count()
        await until('acts before the disk is full', () => people.count() > acts + 10)
        testBed.faultBegins()
        const filler = join(testBed.service.dataDir, 'filler')
        const { bavail, bsize } = statfsSync(testBed.service.dataDir)
        try {
          writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 40_000)))
        } catch (fault) {
          // Somebody wrote meanwhile, so that it is full already.
          if ((fault as NodeJS.ErrnoException).code !== 'ENOSPC') throw fault
        }
        const refused = await tryWhenFull(testBed)
        run.report.checked('I9', refused.length, refused.flatMap(wrongWhenFull))
        run.report.checked('I12', 1, testBed.service.isUp() ? [] : ['the server ended when the disk was full'])
        rmSync(filler)
        run.report.fault()
        const began = performance.now()
        await people.goesOn('an act once there is room')
        run.report.took('from room on the disk to the next acknowledgement', performance.now() - began)
        testBed.faultEnds()
      })
    },
    {
      prepare: async directory => {
        const data = join(directory, 'data')
        mkdirSync(data)
        execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes},mode=755`, 'tmpfs', data])
        return () => void spawnSync('umount', ['-l', data])
      },
    },
  )
}

const tryWhenFull = async ({ ask, party, random }: TestBed): Promise<Reply[]> => {
  const writer = party.writers[0] as Person
  const { bytes } = await pictureOf(random, { width: 1600, height: 1200 })
  const files = [
    { field: 'image', name: 'a.jpg', type: 'image/jpeg', bytes: Buffer.concat([bytes, Buffer.alloc(200_000)]) },
  ]
  const asked = [
    ask('POST', 'api/gallery/upload', { token: writer.token, form: { event_id: party.loud.eventId }, files }),
    ask('GET', `api/message/list?group_chat_id=${party.loud.chatId}&page=1&page_length=20`, { token: writer.token }),
    ask('GET', `api/gallery/photos/${party.loud.eventId}?page=1&page_length=20`, { token: writer.token }),
  ]
  return (await Promise.allSettled(asked)).flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
}

const wrongWhenFull = ({ status, headers }: Reply): string[] => {
  if (status === 200) return []
  if (status === 503 && headers['retry-after'] !== undefined) return []
  return [
    `on a full disk a request was answered with ${status}, and ${headers['retry-after'] === undefined ? 'no' : 'a'} Retry-After`,
  ]
}

/** How long a service may take to go on by itself once its disk is well again. */
const aloneMs = 20_000

/** Every other request to the disk fails for some seconds: nothing is acknowledged that is not there afterwards. */
const failDisk = async (run: Run) => {
  let disk: Failing | undefined
  await onTestBed(
    run,
    async testBed => {
      await faultsUnderLoad(testBed, run, async people => {
        // Nobody waits through several spells: what took long would be taken for what never ends.
        await until('everybody has acted before the disk fails', people.sinceNow())
        testBed.faultBegins()
        disk?.fail(true)
        await sleep(run.random.whole(200, 3000))
        disk?.fail(false)
        run.report.fault()
        const began = performance.now()
        const alone = await people.goesOn('an act after the errors', aloneMs).then(
          () => true,
          () => false,
        )
        if (alone) run.report.took('from the end of the errors to the next acknowledgement', performance.now() - began)
        else {
          // A filesystem whose journal has failed takes nothing more until it is mounted again, which is an operator's work.
          await Promise.all([testBed.service.kill(), testBed.service.killDatabase()])
          disk?.unplug()
          await disk?.plug()
          run.report.took('from mounting anew to the first 200', await testBed.service.start())
          await people.goesOn('an act after mounting anew')
        }
        if (!testBed.service.isUp()) {
          run.report.found('I12', 'the server ended over errors of its disk')
          await testBed.service.start()
        }
        testBed.faultEnds()
        run.report.checked('I12', 1)
      })
    },
    {
      prepare: async directory => {
        disk = await openFailingDisk({
          home: join(directory, 'disk'),
          mountPoint: join(directory, 'data'),
          megabytes: diskBytes / 2 ** 20,
        })
        return () => disk?.unplug()
      },
    },
  )
}

/** One bit of a stored file, or of a page of the database, flips, as disks do it. */
const flipBits = async (run: Run) => {
  await onTestBed(run, async testBed => {
    await underLoad(testBed, async people => {
      await until('some photos', () => testBed.ledger.photos() > 2 && people.count() > 20)
    })
    for (let nth = 0; nth < run.count && !run.signal.aborted; nth++) {
      if (nth % 2 === 0) {
        const file = run.random.pick(storedFiles(testBed.service.mediaDir))
        await flipped(run, file, statSync(file).size, async () =>
          mustSay(run, file, basename(file), await doctorSays(testBed, run)),
        )
        continue
      }
      const [table] = await testBed.service.sql<{ file: string }>("select pg_relation_filepath('messages') as file")
      const file = join(testBed.service.dataDir, 'postgres', 'cluster', table?.file as string)
      // A running database has its own copy of the page, and writes it over what has flipped.
      await testBed.service.stop()
      await flipped(run, file, pageBytes, async () =>
        mustSay(run, file, 'public.messages', await doctorSays(testBed, run)),
      )
      await testBed.service.start()
    }
  })
}

const pageBytes = 8192

const storedFiles = (media: string): string[] =>
  readdirSync(media, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))

/** While one of its first so many bytes has another bit. */
const flipped = async ({ random, report }: Run, file: string, among: number, look: () => Promise<void>) => {
  const whole = readFileSync(file)
  const place = random.whole(0, among - 1)
  const changed = Buffer.from(whole)
  changed[place] = (changed[place] as number) ^ (1 << random.whole(0, 7))
  writeFileSync(file, changed)
  report.fault()
  await look()
  writeFileSync(file, whole)
}

const mustSay = ({ report }: Run, file: string, name: string, said: string) =>
  report.checked(
    'I3',
    1,
    said.includes(name)
      ? []
      : [`a bit of ${file} has flipped, and the service's own look finds nothing: ${said.slice(-300)}`],
  )

/** What an operator is told who looks. */
const doctorSays = async ({ service: { dataDir, port } }: TestBed, { root }: Run): Promise<string> => {
  const env = { DATA_DIR: dataDir, PORT: String(port) }
  return (await runProgram({ root, words: ['main.ts', 'doctor', '--thorough'], env })).said
}

export const disks: Part[] = [
  {
    name: 'disk-full',
    promise: 'the disk under media and database is full, and has room again',
    of: 'times',
    slice: 1,
    full: 30,
    lacks: lacksMount,
    run: fillDisk,
  },
  {
    name: 'disk-errors',
    promise: 'every other request to the disk under media and database fails with EIO, writes and flushes',
    of: 'spells',
    slice: 1,
    full: 500,
    lacks: lacksBlockDevice,
    run: failDisk,
  },
  {
    name: 'bit-flipped',
    promise: 'a bit of a stored file or of a page of the database flips, and whoever looks is told',
    of: 'flips',
    slice: 2,
    full: 200,
    run: flipBits,
  },
]
