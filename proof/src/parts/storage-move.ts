import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultsUnderLoad } from '../checks/all.ts'
import { until } from '../instance/processes.ts'
import { lacksS3, openS3 } from '../instance/s3-server.ts'
import { onDisk } from '../instance/service.ts'
import type { Part } from '../part.ts'
import { type Program, runProgram } from '../people/operator.ts'
import { onTestBed, type Run } from '../test-bed.ts'

/** The moving program dies right before `at`. The next run leaves already moved files alone. */
export const moveSteps: readonly { name: string; file: string; at: string }[] = [
  {
    name: 'a file was read, and is not there',
    file: 'platform/media/storage/copy-files.ts',
    at: 'await to.put(temporary.path, sha256)',
  },
  { name: 'a file is there, and not counted', file: 'platform/media/storage/copy-files.ts', at: 'move.copied += 1' },
  { name: 'everything is there, and nobody was told', file: 'command/storage-move.ts', at: 'console.log(`Done: ' },
]
const photosAMove = 4

/**
 * Moves all files from disk to S3 and back while people upload. The moving program dies at each of its steps and is
 * restarted until it is done.
 */
const moveStorage = async (run: Run) => {
  await using closing = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'afterglow-move-'))
  closing.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const s3 = await openS3(directory)
  closing.defer(() => s3.close())
  const { STORAGE: bucket = '', ...keys } = s3.env
  const media = join(directory, 'media')
  mkdirSync(media)
  const env = { ...keys, MEDIA_DIR: media }
  let here = 'disk'
  await onTestBed(
    run,
    async testBed => {
      const restart = async (more: Record<string, string>) => {
        testBed.faultBegins()
        await testBed.service.stop()
        await testBed.service.start(more)
        testBed.faultEnds()
      }
      await faultsUnderLoad(testBed, run, async (people, nth) => {
        const { name, file, at } = moveSteps[nth % moveSteps.length] as (typeof moveSteps)[number]
        const there = here === 'disk' ? bucket : 'disk'
        const moving: Program = {
          root: run.root,
          words: ['storage-move.ts', '--from', here, '--to', there],
          env: { ...env, DATA_DIR: testBed.service.dataDir },
        }
        if (nth % moveSteps.length === 0) {
          const before = testBed.ledger.photos()
          await until('photos to move', () => testBed.ledger.photos() >= before + photosAMove)
          await restart({ STORAGE: there, STORAGE_FROM: here })
        }
        const death = { file: `server/src/${file}`, from: at, to: `process.kill(process.pid, 'SIGKILL');\n${at}` }
        const { signal, said } = await runProgram({ ...moving, edits: [death] })
        if (signal !== 'SIGKILL') throw new Error(`The move did not come to where ${name}: ${said}`)
        run.report.fault()
        run.report.checked('I12', 1, testBed.service.isUp() ? [] : [`the server ended when ${name}`])
        await people.goesOn('an act after the death of the move')
        if (nth % moveSteps.length < moveSteps.length - 1 && nth < run.count - 1) return
        const { code, said: last } = await runProgram(moving)
        run.report.checked('I12', 1, code === 0 ? [] : [`a move that was begun again ended with ${code}: ${last}`])
        here = there
        await restart({ STORAGE: here })
      })
    },
    { env, stored: sha256 => (here === 'disk' ? onDisk(media, sha256) : s3.stored(sha256)), leisurely: true },
  )
}

export const storageMove: Part = {
  name: 'storage-move',
  promise: 'all files move to S3 and back while people upload, and the moving program is killed at each of its steps',
  of: 'crashes',
  slice: moveSteps.length,
  full: moveSteps.length * 20,
  lacks: lacksS3,
  run: moveStorage,
}
