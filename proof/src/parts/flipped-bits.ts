import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { underLoad } from '../checks/all.ts'
import { until } from '../instance/processes.ts'
import type { Part } from '../part.ts'
import { runProgram } from '../people/operator.ts'
import { onTestBed, type Run, type TestBed } from '../test-bed.ts'

/** Flips one bit of a stored file or of a database page, as disks do. */
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
      // A running database has the page cached and would overwrite the flipped bit.
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

/** Runs the callback while one bit among the first `among` bytes is flipped. */
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

/** Runs the doctor and returns its output. */
const doctorSays = async ({ service: { dataDir, port } }: TestBed, { root }: Run): Promise<string> => {
  const env = { DATA_DIR: dataDir, PORT: String(port) }
  return (await runProgram({ root, words: ['main.ts', 'doctor', '--thorough'], env })).said
}

export const flippedBits: Part = {
  name: 'bit-flipped',
  promise: 'a bit of a stored file or of a page of the database flips, and the operator is told',
  of: 'flips',
  slice: 2,
  full: 200,
  run: flipBits,
}
