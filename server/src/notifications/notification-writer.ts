import type { Logger } from 'pino'
import { type ChangeKind, type ChangeRow, whenAnnounced } from '../log/announce.ts'
import { type Database, type Transaction, transact } from '../platform/database/database.ts'
import { addJob } from '../platform/jobs/jobs.ts'
import type { BlockedWith, HoldEvents, Notice, NoticeTemplates } from './notices.ts'
import { putOffNext, saveNotifications, takeUnnotified, type UserNotice } from './notification-writer-store.ts'

export type NotificationWriterOptions = {
  /** Connections apart from those that serve requests. */
  db: Database
  noticing: NoticeTemplates
  blockedWith: BlockedWith
  holdEvents: HoldEvents
  log: Pick<Logger, 'warn'>
  /** The minimum time between two rings of a notification. */
  ringAgainMs: number
  /**
   * Changes that arrive within this time after a batch are handled together: a burst costs one row per person, not one
   * per message.
   */
  gatherMs?: number
  /** How many times as long as a batch took it rests after it. */
  restsFor?: number
  /** The longest wait of a change whose process died between its commit and its notices. */
  pollMs?: number
}

/** Turns announced changes into notifications, until closed. */
export const openNotificationWriter = (options: NotificationWriterOptions): { close(): Promise<void> } => {
  const { gatherMs = 100, restsFor = usualRest, pollMs = 1000, log } = options
  let closed = false
  let waiting: NodeJS.Timeout | undefined
  let waitsUntil = 0
  let working: Promise<void> | undefined
  let again = false
  let restsUntil = 0

  const work = async () => {
    try {
      if ((await notifyBatch(options)) > 0) again = true
    } catch (err) {
      log.warn({ err }, 'notices failed; they are tried again')
      const changeId = await putOffNext(options.db).catch(() => undefined)
      if (changeId !== undefined) again = true
    }
  }
  const look = (afterMs: number) => {
    const at = performance.now() + afterMs
    if (closed || (waiting && waitsUntil <= at)) return
    clearTimeout(waiting)
    waitsUntil = at
    waiting = setTimeout(() => {
      waiting = undefined
      again = false
      const began = performance.now()
      working = work().finally(() => {
        working = undefined
        const rest = Math.max(gatherMs, Math.min((performance.now() - began) * restsFor, restMsMax))
        restsUntil = performance.now() + rest
        look(again ? rest : pollMs)
      })
    }, afterMs)
  }
  const wake = () => {
    if (working) again = true
    else look(Math.max(0, restsUntil - performance.now()))
  }
  const deafen = whenAnnounced(wake)
  look(0)

  return {
    async close() {
      closed = true
      deafen()
      clearTimeout(waiting)
      await working
    },
  }
}

/**
 * After writing notifications, it rests nineteen times as long: a busy chat of a thousand costs a row per person each
 * time, and took a quarter of PostgreSQL's time when this ran ten times a second.
 */
const usualRest = 19
const restMsMax = 1000
/**
 * The changes of one second on a busy instance. A batch costs a row per person and tag, however many changes it takes:
 * 8 000 messages in 400 chats took 2.1 s of PostgreSQL in batches of 500, and 0.7 s in these.
 */
const changesMax = 2000

type NoticeOptions = Pick<NotificationWriterOptions, 'db' | 'noticing' | 'blockedWith' | 'holdEvents' | 'ringAgainMs'>

/**
 * Takes announced changes and writes, in one transaction, the notifications and the job that rings; returns how many
 * changes it took. If a batch fails, its changes are taken one by one, so that only those that fail on their own are
 * held up.
 */
const notifyBatch = async (deciding: NoticeOptions): Promise<number> => {
  try {
    return await notify(deciding, changesMax)
  } catch {
    return await notify(deciding, 1)
  }
}

const notify = (deciding: NoticeOptions, most: number) => transact(deciding.db, tx => notifyWithin(tx, deciding, most))

export const notifyWithin = async (
  tx: Transaction,
  { noticing, blockedWith, holdEvents, ringAgainMs }: Omit<NoticeOptions, 'db'>,
  most: number,
) => {
  const changes = await takeUnnotified(tx, most)
  const newest = changes.at(-1)
  if (!newest) return 0
  const eventIds = [...new Set(changes.flatMap(change => change.event_id ?? []))].sort((a, b) => a - b)
  if (eventIds.length > 0) await holdEvents(tx, eventIds)
  const { notices, told } = await decide(tx, changes, { noticing, blockedWith })
  if (told.length === 0) return changes.length
  const ringing = await saveNotifications(tx, { notices, told, changeId: newest.id, ringAgainMs })
  const idsOf = (due: boolean) => ringing.flatMap(row => (row.due === due ? row.id : []))
  if (idsOf(true).length > 0) await addJob(tx, 'ring', { ids: idsOf(true) })
  if (idsOf(false).length > 0) await addJob(tx, 'ring', { ids: idsOf(false) }, { afterMs: ringAgainMs })
  return changes.length
}

type DecidedNotices = { notices: (Notice & { actorId: number | null })[]; told: UserNotice[] }

const actorOf = (change: ChangeRow, { actorId }: Notice) => (actorId === undefined ? change.actor_id : actorId)

/** Several changes with one tag are a single notification for a user, with the newest text. */
const decide = async (
  tx: Transaction,
  changes: readonly ChangeRow[],
  { noticing, blockedWith }: Pick<NoticeOptions, 'noticing' | 'blockedWith'>,
): Promise<DecidedNotices> => {
  const byChange = await noticesOf(tx, changes, noticing)
  const actors = changes.flatMap(change =>
    (byChange.get(change.id) ?? []).flatMap(notice => (notice.to.length > 0 ? (actorOf(change, notice) ?? []) : [])),
  )
  const blocked = actors.length > 0 ? await blockedWith(tx, [...new Set(actors)]) : new Map<number, Set<number>>()

  const notices: DecidedNotices['notices'] = []
  const told = new Map<string, Map<number, UserNotice>>()
  for (const change of changes) {
    const ofChange = byChange.get(change.id) ?? []
    const reached = ofChange.length > 1 ? new Set<number>() : undefined
    for (const notice of ofChange) {
      const actorId = actorOf(change, notice)
      const apart = notice.despiteBlocks || actorId === null ? undefined : blocked.get(actorId)
      const at = notices.push({ ...notice, actorId }) - 1
      const { count = 1 } = notice
      const tagged = told.get(notice.tag) ?? new Map<number, UserNotice>()
      told.set(notice.tag, tagged)
      for (const userId of notice.to) {
        if (reached?.has(userId) || userId === actorId || apart?.has(userId)) continue
        reached?.add(userId)
        const silenced = notice.silenced?.get(userId) ?? null
        const earlier = tagged.get(userId) ?? { notice: at, userId, count: 0, silenced, by: new Set() }
        tagged.set(userId, earlier)
        earlier.notice = at
        earlier.count += count
        // One change of a burst that may ring is enough to ring, and only those that may are reasons to.
        if (earlier.silenced !== null) earlier.silenced = silenced
        if (silenced === null) earlier.by.add(actorId ?? userId)
      }
    }
  }
  return { notices, told: [...told.values()].flatMap(tagged => [...tagged.values()]) }
}

const noticesOf = async (tx: Transaction, changes: readonly ChangeRow[], noticing: NoticeTemplates) => {
  const found = new Map<number, readonly Notice[]>()
  for (const [kind, alike] of Map.groupBy(changes, change => change.kind))
    for (const [id, notices] of (await noticing[kind as ChangeKind]?.(tx, alike)) ?? []) found.set(id, notices)
  return found
}
