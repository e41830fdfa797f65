import { type AfterglowError, isLasting, Unsendable } from '@afterglow/sdk/methods'
import { openOutbox, type Unsent } from '@afterglow/sdk/outbox'
import { queryClient } from '../cache/query.ts'
import { online } from '../net/network.ts'
import { explained, inWords } from '../net/refusal-message.ts'
import { session } from '../session.ts'
import { t } from '../words.ts'
import { type Act, type Acts, acts, type Kind, type Performer, performers } from './pending-acts.ts'
import { asItsAuthor, storedIn } from './stored-outbox.ts'

declare module './database.ts' {
  interface Stores {
    /** Acts on their way. */
    acts: { key: number; value: Act }
  }
}

const ready = new Map<Kind, Performer<Kind>>()
/** Undefined for a kind that another version of this client has stored. */
const performerOf = async (kind: Kind) => {
  const performer = ready.get(kind) ?? (await (await performers)[kind]?.())
  if (performer) ready.set(kind, performer as Performer<Kind>)
  return performer as Performer<Kind> | undefined
}

/** Waits until the act can no longer be undone, unless the page may be closed before. False if it was undone. */
const isStillMeant = async (at: number, until: number): Promise<boolean> => {
  const isThere = () => acts.get().some(each => each.at === at)
  await new Promise<void>(resolve => {
    const done = () => {
      clearTimeout(timer)
      stop()
      document.removeEventListener('visibilitychange', done)
      resolve()
    }
    const timer = setTimeout(done, until - Date.now())
    const stop = acts.follow(() => isThere() || done())
    document.addEventListener('visibilitychange', done)
  })
  return isThere()
}

const send = async ({ at, kind, told, key, userId, undoUntil }: Act) => {
  if (undoUntil !== undefined && !(await isStillMeant(at, undoUntil))) return
  const performer = await performerOf(kind)
  if (!performer) throw new Unsendable(t('waits.unknown'))
  try {
    await asItsAuthor(userId, () => performer.perform(told, key))
  } catch (error) {
    if (!isLasting(error)) throw error
    await explained()
    if (!performer.undo) throw error
    performer.undo(told, error)
  }
}

const wordsOf = ({ message, code, fields }: AfterglowError) =>
  inWords({ text: message, code, field: Object.keys(fields)[0] })

/** Pending acts are part of all displayed data, even of data loaded later. */
const showAhead = () => {
  for (const { kind, told, refused } of acts.get()) if (refused === undefined) ready.get(kind)?.show?.(told)
}
queryClient.getQueryCache().subscribe(event => {
  if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) showAhead()
})

const { storage, alone, follow } = storedIn<Act>('acts')
const outbox = openOutbox<Act>({
  send,
  storage,
  alone,
  onChange: acts.set,
  wordsOf,
  /** Acts on the same subject are sent in order, and hold up nothing else. */
  laneOf: ({ about }) => about,
})
export const { sendAgain, discard } = outbox

/**
 * Queues an act, which will be sent from now on, whatever happens to this page; at the earliest once it cannot be
 * undone.
 */
export const act = async <Each extends Kind>(kind: Each, about: string, told: Acts[Each], undoUntil?: number) => {
  const userId = session.get()?.userId
  if (userId === undefined) return
  const undoable = undoUntil !== undefined && { undoUntil }
  await outbox.post({ userId, kind, about, told, ...undoable } as Omit<Act, keyof Unsent>)
}

/** Queues an act in place of a pending one on the same subject. */
export const actInstead: typeof act = (kind, about, told, undoUntil) => {
  const isSent = ({ sending, undoUntil: until = 0 }: Act) => sending && until < Date.now()
  for (const each of acts.get()) if (each.about === about && !isSent(each)) void discard(each.at)
  return act(kind, about, told, undoUntil)
}

/** Reads pending acts of an earlier page, shows them and sends them. */
export const loadActs = async () => {
  await outbox.load()
  await Promise.all([...new Set(acts.get().map(({ kind }) => kind))].map(performerOf))
  showAhead()
}

/** Returns a function to stop. */
export const performWaiting = () => {
  void loadActs()
  const stops = [follow(() => void loadActs()), online.follow(reachable => reachable && outbox.wake())]
  return () => {
    for (const stop of stops) stop()
    outbox.close()
  }
}
