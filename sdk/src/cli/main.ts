#!/usr/bin/env node
import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterglow } from '../client.ts'
import { AfterglowError, isLasting } from '../failure.ts'
import { isRawName } from '../files.ts'
import { patiently, retryDelaysMs } from '../retry.ts'
import type { UploadRefusal } from '../upload-refusals.ts'
import { AskedWrongly, help, readArguments, type UploadCommand } from './arguments.ts'
import { type FolderShot, filesOf, readFolders } from './folder.ts'
import { type Journal, openJournal } from './journal.ts'
import { openProgress, sizeOf } from './progress.ts'
import { sendAll, sortOut } from './upload.ts'

/* `afterglow upload`: uploads a folder into an album, from any machine with Node. */

const exitCodes = { done: 0, refused: 1, askedWrongly: 2, stopped: 3, away: 4, interrupted: 130 } as const

const reasons: Record<UploadRefusal['reason'], string> = {
  tooBig: 'It is too big.',
  type: 'It is not a photo or video of a type that is taken.',
  proxy: 'A proxy before the service does not let a file of this size through (413). The same command tries it again.',
  other: 'It could not be added.',
  quota: 'You have added as many photos as you may. An organizer can allow you more.',
  full: 'There is no more space for files.',
  notAllowed: 'You may not add photos to this event.',
  gone: 'This event is gone.',
}
const whyOf = ({ reason, sentence }: UploadRefusal) => sentence ?? reasons[reason]
const count = (number: number) => number.toLocaleString('en')
const bytesOf = (shots: readonly FolderShot[]) => shots.flatMap(filesOf).reduce((sum, { bytes }) => sum + bytes, 0)
const say = (line: string) => console.log(line)

const stop = new AbortController()
const { signal } = stop

class NameLost extends Error {}
/** However long the system goes on asking. */
const nameMs = 4_000

/** Says at once that a name leads nowhere; a service that does not answer may be back. */
const demandName = async (baseUrl: string) => {
  const { hostname } = new URL(baseUrl)
  const waits = new AbortController()
  const found = await Promise.race([
    lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => undefined),
    setTimeout(nameMs, undefined, { signal: waits.signal }).catch(() => undefined),
  ])
  waits.abort()
  if (!found) throw new NameLost(`The name ${hostname} leads nowhere: it is mistyped, or this computer has no network.`)
}

/** The sender and the event. */
const enter = async (wanted: UploadCommand, journal: Journal) => {
  const { baseUrl, code, pin } = wanted
  const known = wanted.token ? undefined : journal.guest()
  const token = wanted.token ?? known?.token
  if (code === undefined) return { token, eventId: wanted.eventId as number }
  if (known) return { token, eventId: known.eventId }
  const api = afterglow({ baseUrl, ...(token && { token }) })
  const { event_id: eventId } = await patiently(() => api.links.openLink({ code }, { signal }), retryDelaysMs, signal)
  if (!token && !wanted.name) throw new AskedWrongly('Say by which name others see you: --name <your name>')
  const [first = '', ...last] = (wanted.name ?? '').trim().split(/\s+/)
  const deviceId = `cli-${randomUUID()}`
  const device = {
    user_first_name: first,
    ...(last.length > 0 && { user_last_name: last.join(' ') }),
    device_id: deviceId,
    user_timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    user_device_platform: 'cli',
  }
  // The key authenticates the guest: repeating it returns the same account if the first answer was lost.
  const idempotencyKey = `${randomUUID()}${randomUUID()}`
  const join = () =>
    api.links.joinByLink({ code, ...(pin && { pin }), ...(!token && device) }, { signal, idempotencyKey })
  const joined = await patiently(join, retryDelaysMs, signal)
  if (!token) journal.keepGuest({ token: joined.token, deviceId, eventId })
  return { token: joined.token, eventId }
}

const run = async (wanted: UploadCommand): Promise<number> => {
  await demandName(wanted.baseUrl)
  const { found, strange, others } = await readFolders(
    wanted.paths.map(path => resolve(process.env.INIT_CWD ?? '.', path)),
  )
  const journal = openJournal(`${wanted.baseUrl} ${wanted.code ?? wanted.eventId}`)
  const { token, eventId } = await enter(wanted, journal)
  if (wanted.eventId !== undefined && wanted.eventId !== eventId)
    throw new AskedWrongly('The link leads to another event than --event names.')
  const uploading = { connection: { baseUrl: wanted.baseUrl, ...(token && { token }) }, eventId, journal, signal }
  const all = { files: 0, filesAll: found.length, bytes: 0, bytesAll: bytesOf(found) }
  const reading = openProgress(process.stderr, () => all)
  const sorted = await sortOut(uploading, found, files => {
    all.files = files
    all.bytes += bytesOf(found.slice(files - 1, files))
  }).finally(() => reading.close())
  const { missing, already, unreadable } = sorted
  for (const path of others) say(`left out: ${JSON.stringify(path)}: ${reasons.type}`)
  const raws = missing.flatMap(filesOf).filter(({ name }) => isRawName(name)).length
  if (raws > 0)
    say(
      `${count(raws)} RAW files go along as the camera wrote them, place included; you and organizers can download them.`,
    )
  if (wanted.dryRun) {
    say(
      `${count(missing.length)} would be sent (${sizeOf(bytesOf(missing))}), ${count(already.length)} are there already.`,
    )
    return exitCodes.done
  }
  const now = { files: 0, filesAll: missing.length, bytes: 0, bytesAll: bytesOf(missing) }
  const bar = openProgress(process.stderr, () => now)
  const tellRefused = (path: string, why: string) => bar.tell(`refused: ${JSON.stringify(path)}: ${why}`)
  for (const path of strange) tellRefused(path, reasons.type)
  for (const { path } of unreadable) tellRefused(path, 'The file cannot be read.')
  const outcome = await sendAll(uploading, missing, {
    onBytes: more => {
      now.bytes += more
    },
    onSafe: () => {
      now.files += 1
    },
    onRefused: ({ path }, refusal) => tellRefused(path, whyOf(refusal)),
    onIncomplete: ({ path }) =>
      bar.tell(`incomplete: ${JSON.stringify(path)}: The file ends too early. Its picture is shown as far as it goes.`),
  }).finally(() => bar.close())
  const refused = outcome.refused.length + strange.length + unreadable.length
  say(`${count(outcome.safe)} safe, ${count(already.length)} were there before, ${count(refused)} refused`)
  if (outcome.left > 0) {
    const why = signal.aborted
      ? 'Stopped.'
      : outcome.stopped === 'away' || !outcome.stopped
        ? 'The service cannot be reached.'
        : whyOf(outcome.stopped)
    say(`${why} ${count(outcome.left)} files wait: the same command goes on with them.`)
    if (signal.aborted) return exitCodes.interrupted
    return outcome.stopped === 'away' ? exitCodes.away : exitCodes.stopped
  }
  return refused > 0 ? exitCodes.refused : exitCodes.done
}

const answer = async (): Promise<number> => {
  try {
    const wanted = readArguments(process.argv.slice(2), process.env)
    if (wanted) return await run(wanted)
    say(help)
    return exitCodes.done
  } catch (fault) {
    if (signal.aborted) return exitCodes.interrupted
    if (fault instanceof AskedWrongly) {
      console.error(`${fault.message}\nafterglow --help says more.`)
      return exitCodes.askedWrongly
    }
    if ((fault as { code?: string }).code === 'ENOENT') {
      console.error(`There is no ${(fault as { path?: string }).path}.`)
      return exitCodes.askedWrongly
    }
    const isSaid = fault instanceof AfterglowError || fault instanceof NameLost
    console.error(isSaid ? fault.message : 'The service cannot be reached.')
    return isLasting(fault) ? exitCodes.askedWrongly : exitCodes.away
  }
}

process.once('SIGINT', () => stop.abort())
process.once('SIGTERM', () => stop.abort())
process.exitCode = await answer()
