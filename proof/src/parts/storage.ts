import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../../../server/test/s3-proxy.ts'
import { faultsUnderLoad } from '../checks/all.ts'
import { until } from '../instance/processes.ts'
import { lacksS3, openS3 } from '../instance/s3-server.ts'
import type { Part } from '../part.ts'
import { onTestBed, type Run } from '../test-bed.ts'

const spells: readonly { fault: Fault; method?: string; words: string }[] = [
  { fault: 'refuse', words: 'S3 answers 500' },
  { fault: 'slow', words: 'S3 answers late' },
  { fault: 'cut', method: 'PUT', words: 'connections break in the midst of a body' },
  { fault: 'storedButLost', method: 'PUT', words: 'S3 has stored, and its answer is lost' },
  { fault: 'flip', method: 'PUT', words: 'a bit of what is sent flips' },
  { fault: 'lie', method: 'PUT', words: 'S3 answers 200 and has nothing' },
  { fault: 'full', method: 'PUT', words: 'the quota is spent' },
  { fault: 'hang', words: 'S3 answers nothing' },
]
/** Every other path must keep working while the storage fails. */
const needFiles = /gallery\/upload|\/?media\//

/** The S3 storage fails in every way, for some seconds at a time, while people upload. */
const breakStorage = async (run: Run) => {
  await using closing = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'afterglow-s3-'))
  closing.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const { network, env, stored, close } = await openS3(directory)
  closing.defer(close)
  await onTestBed(
    run,
    async testBed => {
      await faultsUnderLoad(testBed, run, async (people, nth) => {
        const { fault, method, words } = spells[nth % spells.length] as (typeof spells)[number]
        testBed.faultBegins(needFiles)
        const before = people.count()
        network.fail(fault, Number.POSITIVE_INFINITY, method)
        await sleep(run.random.whole(1000, 6000))
        // Everybody may be in the middle of an upload by now.
        network.heal()
        run.report.fault()
        const began = performance.now()
        const then = testBed.ledger.photos()
        await until(`a photo after ${words}`, () => testBed.ledger.photos() > then)
        run.report.took('from the end of a fault to the next photo', performance.now() - began)
        await until(`acts after ${words}`, () => people.count() > before + 10)
        testBed.faultEnds(needFiles)
        run.report.checked('I12', 1, testBed.service.isUp() ? [] : [`the server ended when ${words}`])
      })
    },
    { env, stored, leisurely: true },
  )
}

export const storageBroken: Part = {
  name: 'storage-broken',
  promise: 'an S3 server refuses, is late, breaks off, loses its answers, flips bits, lies, is full and hangs',
  of: 'spells',
  slice: spells.length,
  full: 400,
  lacks: lacksS3,
  run: breakStorage,
}
