import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultsUnderLoad } from '../checks/all.ts'
import { until } from '../instance/processes.ts'
import type { Edit } from '../instance/service.ts'
import type { Part } from '../part.ts'
import { lacksFilms } from '../people/films.ts'
import { withPushService } from '../people/push-recipients.ts'
import { openPushService } from '../people/push-service.ts'
import { prepareRareActs, type RareAct } from '../people/rare-acts.ts'
import { onTestBed, type Run } from '../test-bed.ts'

/**
 * The server dies right before the source text `at`, the next time it gets there after being armed. `act` triggers the
 * step if the load does not.
 */
type Step = { name: string; file: string; at: string; act?: RareAct }

export const steps: readonly Step[] = [
  {
    name: 'a message is about to be written',
    file: 'chats/messages/send-message-store.ts',
    at: 'const pictures = all.flatMap(',
  },
  {
    name: 'a message is committed, and its sender not answered',
    file: 'chats/messages/send-message-store.ts',
    at: 'const outcomes: (Sent | Repeat | undefined)[]',
  },
  {
    name: 'a photo has come, and is not decoded',
    file: 'uploads/store-upload.ts',
    at: 'await demandSize(still, field, limits)',
  },
  {
    name: 'the files of a photo are stored, and no row names them',
    file: 'uploads/upload-routes.ts',
    at: 'const photo = await once(db =>',
  },
  {
    name: 'a file has its name, and the directory is not on disk',
    file: 'platform/media/storage/disk.ts',
    at: 'await Promise.all([sync(dirname(address))',
  },
  {
    name: 'the row of a photo is written, and not committed',
    file: 'uploads/upload-photo.ts',
    at: 'await markUsed(tx, ids, photo.id)',
  },
  {
    name: 'a photo is committed, and its uploader not answered',
    file: 'uploads/upload-routes.ts',
    at: 'for (const id of idsOf(sessions)) await sessionFiles.remove(id)',
  },
  {
    name: 'a comment is written, and not announced',
    file: 'gallery/comments/comments.ts',
    at: 'const place = { event_id, photo_id: photoId, parent_id: null }',
  },
  {
    name: 'an act is done, and its reply not kept under its key',
    file: 'platform/http/idempotency.ts',
    at: "await tx\n      .updateTable('idempotency_keys')",
  },
  {
    name: 'changes have their places, and nobody was told',
    file: 'log/changes-sql.ts',
    at: 'const [{ placed, events, users, ...head }] = rows',
  },
  {
    name: 'notices are taken, and no notification is written',
    file: 'notifications/notification-writer.ts',
    at: 'const ringing = await saveNotifications',
  },
  {
    name: 'a film is in the album, and its conversion begins',
    file: 'gallery/videos/video-conversion.ts',
    at: 'const telling = openProgressAnnouncer(',
    act: 'film',
  },
  {
    name: 'a film is converted, and its row does not say so',
    file: 'gallery/videos/video-conversion.ts',
    at: 'await step(db, mediaId, (tx, video) => store.setReady(',
    act: 'film',
  },
  {
    name: 'a push is marked as sent, and has not left',
    file: 'notifications/delivery/push-job.ts',
    at: 'await Promise.all(\n        sending.map(',
    act: 'push',
  },
  {
    name: 'a push was taken, and nobody wrote that down',
    file: 'notifications/delivery/push-job.ts',
    at: 'const silent = answers.filter(isUnanswered)',
    act: 'push',
  },
  {
    name: 'a person is erased, and what they said is not',
    file: 'privacy/delete-accounts.ts',
    at: 'if (erasesContent) for (',
    act: 'erasure',
  },
  {
    name: 'everything of a person is erased, and it is not marked as done',
    file: 'privacy/delete-accounts.ts',
    at: 'await transact(db, tx => markErased(tx, id))',
    act: 'erasure',
  },
]

const triggerOf = (nth: number) => `dies-at-${nth}`

/** Written as an expression, so it fits anywhere a statement may stand. */
const dying = (nth: number, directory: string) =>
  `if (process.getBuiltinModule('node:fs').existsSync(${JSON.stringify(join(directory, triggerOf(nth)))})) process.kill(process.pid, 'SIGKILL');\n`

const crash = async (run: Run) => {
  await using closing = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'afterglow-steps-'))
  closing.defer(() => rmSync(directory, { recursive: true }))
  const provider = await openPushService(run.root)
  closing.defer(() => provider.close())
  const { env, edits = [] } = withPushService(directory, provider)
  const deaths = steps.map(
    ({ file, at }, nth): Edit => ({ file: `server/src/${file}`, from: at, to: `${dying(nth, directory)}${at}` }),
  )
  await onTestBed(
    run,
    async testBed => {
      const rare = await prepareRareActs(testBed, provider, run.root)
      // A short run starts at a step that the seed chooses.
      const begin = run.random.whole(0, steps.length - 1)
      await faultsUnderLoad(testBed, run, async (people, nth) => {
        const at = (begin + nth) % steps.length
        const { name, act } = steps[at] as Step
        const trigger = join(directory, triggerOf(at))
        testBed.faultBegins()
        writeFileSync(trigger, '')
        const acting = act ? rare[act]() : Promise.resolve()
        const dead = until(`the step at which ${name}`, () => !testBed.service.isUp() || run.signal.aborted)
        await Promise.race([dead, acting.then(() => dead)])
        rmSync(trigger)
        run.report.fault()
        if (!testBed.service.isUp()) run.report.took('from the start to the first 200', await testBed.service.start())
        await acting
        await people.goesOn('an act after the crash')
        testBed.faultEnds()
        run.report.checked('I12', 1)
      })
      await rare.check()
    },
    { env, edits: [...edits, ...deaths] },
  )
}

export const crashSteps: Part = {
  name: 'crash-steps',
  promise:
    'the server dies at each named step of sending, uploading, converting, commenting, ordering, notifying, pushing and erasing',
  of: 'crashes',
  slice: steps.length,
  full: steps.length * 20,
  lacks: lacksFilms,
  run: crash,
}
