import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultsUnderLoad } from '../checks/all.ts'
import { onGround, type Run } from '../ground.ts'
import type { Part } from '../part.ts'
import { until } from '../processes.ts'
import type { Edit } from '../service.ts'

/** Right before `at` in a source the server dies, the next time that it gets there after being told to. */
type Step = { name: string; file: string; at: string }

export const steps: readonly Step[] = [
  {
    name: 'a message is about to be written',
    file: 'chats/send-message-store.ts',
    at: 'const pictures = all.flatMap(',
  },
  {
    name: 'a message is committed, and its sender not answered',
    file: 'chats/send-message-store.ts',
    at: 'const outcomes: (Sent | Repeat | undefined)[]',
  },
  {
    name: 'a photo has come, and is not decoded',
    file: 'gallery/upload-routes.ts',
    at: 'const upload = {\n          eventId,',
  },
  {
    name: 'the files of a photo are stored, and no row names them',
    file: 'gallery/upload-routes.ts',
    at: 'const photo = await once(db =>',
  },
  {
    name: 'a file has its name, and the directory is not on disk',
    file: 'platform/media/disk.ts',
    at: 'await Promise.all([sync(dirname(address))',
  },
  {
    name: 'the row of a photo is written, and not committed',
    file: 'gallery/photos.ts',
    at: 'await markUsed(tx, idsOf(sessions), id)',
  },
  {
    name: 'a photo is committed, and its uploader not answered',
    file: 'gallery/upload-routes.ts',
    at: 'for (const id of idsOf(sessions)) await sessionFiles.remove(id)',
  },
  {
    name: 'a comment is written, and not announced',
    file: 'gallery/comments.ts',
    at: 'const place = { event_id, photo_id: photoId, parent_id: null }',
  },
  {
    name: 'an act is done, and its reply not kept under its key',
    file: 'platform/http/idempotency.ts',
    at: "await tx\n      .updateTable('idempotency_keys')",
  },
  {
    name: 'changes have their places, and nobody was told',
    file: 'notifications/changes-store.ts',
    at: 'const [{ placed, events, users, ...head }] = rows',
  },
  {
    name: 'notices are taken, and no notification is written',
    file: 'notifications/notification-writer.ts',
    at: 'const ringing = await saveNotifications',
  },
]

const triggerOf = (nth: number) => `dies-at-${nth}`

/** As an expression of its own, wherever a statement may stand. */
const dying = (nth: number, directory: string) =>
  `if (process.getBuiltinModule('node:fs').existsSync(${JSON.stringify(join(directory, triggerOf(nth)))})) process.kill(process.pid, 'SIGKILL');\n`

const crash = async (run: Run) => {
  const directory = mkdtempSync(join(tmpdir(), 'afterglow-steps-'))
  using _ = { [Symbol.dispose]: () => rmSync(directory, { recursive: true }) }
  const edits = steps.map(
    ({ file, at }, nth): Edit => ({ file: `server/src/${file}`, from: at, to: `${dying(nth, directory)}${at}` }),
  )
  await onGround(
    run,
    async ground => {
      await faultsUnderLoad(ground, run, async (people, nth) => {
        const step = nth % steps.length
        const trigger = join(directory, triggerOf(step))
        ground.faultBegins()
        writeFileSync(trigger, '')
        await until(`the step at which ${steps[step]?.name}`, () => !ground.service.isUp() || run.signal.aborted)
        rmSync(trigger)
        run.report.fault()
        if (!ground.service.isUp()) run.report.took('from the start to the first 200', await ground.service.start())
        const before = people.count()
        await until('the next acknowledgement', () => people.count() > before)
        ground.faultEnds()
        run.report.checked('I12', 1)
      })
    },
    { edits },
  )
}

export const crashSteps: Part = {
  name: 'crash-steps',
  promise: 'the server dies at each named step of sending, uploading, commenting, ordering and notifying',
  of: 'crashes',
  slice: steps.length,
  full: steps.length * 20,
  run: crash,
}
