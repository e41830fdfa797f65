import { type AfterglowError, isLasting } from '@afterglow/sdk/methods'
import { openOutbox, type Waiting } from '@afterglow/sdk/outbox'
import { online } from '../net/network.ts'
import { explained, inWords } from '../net/refused.ts'
import { session } from '../session.ts'
import { openStore } from '../store.ts'
import { asItsAuthor, storedIn } from './stored-outbox.ts'

/*
 * Likes, reactions and comments, from when somebody makes them until the service has them: kept over reloads, sent in
 * their order, each once.
 */

/** The kinds and what is told of each, declared by the slice that performs it. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled where the acts are.
export interface Acts {}
export type Kind = keyof Acts

type OfKind<Each extends Kind> = Waiting & {
  userId: number
  kind: Each
  /** What it is about. */
  about: string
  told: Acts[Each]
}
export type Act<Some extends Kind = Kind> = { [Each in Some]: OfKind<Each> }[Some]

type Performer<Each extends Kind> = {
  /** Sends it and shows what came of it; `key` makes it happen once. */
  perform(told: Acts[Each], key: string): Promise<unknown>
  /** Shows it ahead of its answer: when it is done, and again when a page is loaded before it was sent. */
  show?(told: Acts[Each]): void
  /** It was refused for good: what was shown ahead is taken back. Those that have none wait for their author. */
  undo?(told: Acts[Each], refusal: unknown): void
}

declare module './database.ts' {
  interface Stores {
    /** Likes, reactions and comments on their way. */
    acts: { key: number; value: Act }
  }
}

/** Those on their way. */
export const acts = openStore<readonly Act[]>([])

const performers = new Map<Kind, Performer<Kind>>()
export const performs = <Each extends Kind>(kind: Each, performer: Performer<Each>) =>
  void performers.set(kind, performer as unknown as Performer<Kind>)

const send = async ({ kind, told, key, userId }: Act) => {
  const performer = performers.get(kind)
  if (!performer) throw new Error(`Nobody performs ${String(kind)}`)
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

const shown = new Set<number>()
const showAhead = ({ at, kind, told }: Act) => {
  if (shown.has(at)) return
  shown.add(at)
  performers.get(kind)?.show?.(told)
}

const { storage, alone, follow } = storedIn<Act>('acts')
const onChange = (waiting: readonly Act[]) => {
  waiting.forEach(showAhead)
  acts.set(waiting)
}
const outbox = openOutbox<Act>({ send, storage, alone, onChange, wordsOf })
export const { sendAgain, discard } = outbox

/** All in one lane: their order is the order of what somebody did. */
const lane = 0

/** From now on it will be sent, whatever happens to this page. Of those that can be undone, the last one counts. */
export const act = async <Each extends Kind>(kind: Each, about: string, told: Acts[Each]) => {
  const userId = session.get()?.userId
  if (userId === undefined) return
  const before = acts.get().filter(each => each.about === about && !each.sending)
  if (performers.get(kind)?.undo) for (const { at } of before) void discard(at)
  await outbox.post({ chatId: lane, userId, kind, about, told } as Omit<Act, 'at' | 'key'>)
}

/** Reads what an earlier page left behind and sends it. Returns how to stop. */
export const performWaiting = () => {
  void outbox.load()
  const stops = [follow(() => void outbox.load()), online.follow(reachable => reachable && outbox.wake())]
  return () => {
    for (const stop of stops) stop()
    outbox.close()
  }
}
