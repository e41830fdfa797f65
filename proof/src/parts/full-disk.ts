import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultsUnderLoad } from '../checks/all.ts'
import type { Reply } from '../http.ts'
import { until } from '../instance/processes.ts'
import { type MissingTool, missingTool } from '../missing-tool.ts'
import type { Part } from '../part.ts'
import type { Person } from '../people/party.ts'
import { pictureOf } from '../people/pictures.ts'
import { onTestBed, type Run, type TestBed } from '../test-bed.ts'

const diskBytes = 700 * 2 ** 20

/** Explains why no filesystem can be mounted here. */
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

/**
 * Fills the disk while people write: refusals are clean, reads continue, and everything recovers once there is room.
 */
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
          // Other writes may have filled it already.
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

export const fullDisk: Part = {
  name: 'disk-full',
  promise: 'the disk under media and database is full, and has room again',
  of: 'times',
  slice: 1,
  full: 30,
  lacks: lacksMount,
  run: fillDisk,
}
