import { AfterglowError } from '@afterglow/sdk/methods'
import { applyChanges } from '../app/change.ts'
import { api, isPassing } from '../app/client.ts'
import { database } from '../app/database.ts'
import { online } from '../app/network.ts'
import { queryClient } from '../app/query.ts'
import { session } from '../app/session.ts'
import { reasonOf } from '../ui/failure.ts'
import { chatKey } from './keys.ts'
import { oneArrived, type Waiting, waiting } from './pending-messages.ts'
import type { Chat } from './queries.ts'
import { hearChats } from './reducer.ts'

/* Messages on their way. They are written down before they are sent, and sent one after the other in that order. */

/** Tells the other tabs that what is written down has changed. */
const tabs = new BroadcastChannel('afterglow.outbox')

/** Messages of this page that do not stand there yet. */
const unwritten = new Set<number>()

/** Takes a message: from now on it will be sent, whatever happens to this page. */
export const post = async (message: Pick<Waiting, 'chatId' | 'content' | 'pictures' | 'replyTo'>) => {
  const userId = session.get()?.userId
  if (userId === undefined) return
  const at = Math.max(Date.now(), (waiting.get().at(-1)?.at ?? 0) + 1)
  const key = Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('')
  const taken = { ...message, at, key, userId }
  unwritten.add(at)
  waiting.set([...waiting.get(), taken])
  await write(taken)
  void sendAll()
}

export const sendAgain = async (at: number) => {
  const found = waiting.get().find(each => each.at === at)
  if (!found) return
  const { refused: _, ...again } = found
  await replace(again)
  void sendAll()
}

export const discard = async (at: number) => {
  unwritten.delete(at)
  waiting.set(waiting.get().filter(each => each.at !== at))
  try {
    await (await database()).delete('outbox', at)
  } catch {
    // It was never written down.
  }
  tabs.postMessage('changed')
}

/** Reads what an earlier page left behind and sends it. Returns how to stop. */
export const sendWaiting = () => {
  const take = async () => {
    try {
      const before = new Set(waiting.get().flatMap(({ at }) => (unwritten.has(at) ? [] : at)))
      const all = await (await database()).getAll('outbox')
      const sending = new Map(waiting.get().map(each => [each.at, each.sentAfter]))
      const read = all
        .filter(each => each.userId === session.get()?.userId)
        .map(
          each =>
            ({ ...each, ...(sending.get(each.at) !== undefined && { sentAfter: sending.get(each.at) }) }) as Waiting,
        )
      // What stood there before and does not now, another tab has sent. Of what was written meanwhile reading knows nothing.
      const meanwhile = waiting.get().filter(({ at }) => !before.has(at) && !read.some(each => each.at === at))
      waiting.set([...read, ...meanwhile])
    } catch {
      // A browser that keeps nothing has nothing left behind.
    }
    await sendAll()
  }
  void take()
  tabs.onmessage = () => void take()
  const stopFollowing = online.follow(reachable => reachable && void sendAll())
  return () => {
    stopFollowing()
    tabs.onmessage = null
    waiting.set([])
  }
}

let sending = false
const sendAll = async () => {
  if (sending) return
  sending = true
  try {
    // One tab at a time, or two might change the order.
    // (Without HTTPS there are no locks; then its key still keeps each message from being written twice.)
    await (navigator.locks ? navigator.locks.request('afterglow.outbox', sendInOrder) : sendInOrder())
  } finally {
    sending = false
  }
}

const sendInOrder = async () => {
  let pause = 1000
  for (;;) {
    const next = waiting.get().find(({ refused }) => refused === undefined)
    if (!next || session.get()?.userId !== next.userId) return
    const outcome = await send(next)
    if (outcome === 'signed out') return
    if (outcome === 'later') {
      await reachableOrAfter(pause)
      pause = Math.min(pause * 2, 30_000)
    } else pause = 1000
  }
}

const send = async (message: Waiting): Promise<'done' | 'later' | 'signed out'> => {
  const { chatId, content, replyTo, pictures, key } = message
  const last = queryClient.getQueryData<Chat>(chatKey(chatId))?.extra.last_sequence ?? 0
  inMemory({ ...message, sentAfter: message.sentAfter ?? last })
  try {
    const input = { group_chat_id: chatId, message_content: content, ...(replyTo && { message_reply_id: replyTo.id }) }
    const attachments = pictures.map((picture, at) => new File([picture], `picture-${at + 1}`, { type: picture.type }))
    const sent = await api.chats.saveMessage(
      { ...input, ...(attachments.length > 0 && { attachments }) },
      { idempotencyKey: key },
    )
    applyChanges(queryClient, hearChats({ kind: 'message.created', payload: sent }, sent.user.id))
    await discard(message.at)
    oneArrived.set(true)
    return 'done'
  } catch (error) {
    if (error instanceof AfterglowError && error.status === 401) return 'signed out'
    if (isPassing(error)) return 'later'
    await replace({ ...message, refused: reasonOf(error) })
    return 'done'
  }
}

const reachableOrAfter = (ms: number) =>
  new Promise<void>(resolve => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, ms)
    const stop = online.follow(reachable => reachable && done())
  })

const inMemory = (changed: Waiting) => waiting.set(waiting.get().map(each => (each.at === changed.at ? changed : each)))

const replace = async (changed: Waiting) => {
  inMemory(changed)
  await write(changed)
}

const write = async ({ sentAfter: _, ...message }: Waiting) => {
  try {
    await (await database()).put('outbox', message)
    unwritten.delete(message.at)
    tabs.postMessage('changed')
  } catch {
    // It is still sent, but a reload would lose it.
  }
}
