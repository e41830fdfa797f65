import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { viewing } from '../../app/viewing.ts'
import type { Chat } from '../queries.ts'
import { type Message, sequenceOf, type Window } from './window.ts'

const afterMs = 600

const markSeen = async (client: QueryClient, chatId: number, message: Message) => {
  const { markSeen } = await import('./mark-seen.ts')
  await markSeen(client, chatId, message)
}

/** Moves the seen mark to messages that were visible for a moment. Returns a function that reports how far. */
export const useSeeing = (chat: Chat, shown: Window) => {
  const client = useQueryClient()
  const reached = useRef(0)
  const now = useRef({ chat, shown })
  now.current = { chat, shown }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const mark = useCallback(() => {
    timer.current = undefined
    const { chat, shown } = now.current
    const last = shown.messages.findLast(message => sequenceOf(message) <= reached.current)
    if (viewing.get() || !last || document.visibilityState === 'hidden' || sequenceOf(last) <= chat.extra.seen_sequence)
      return
    void markSeen(client, chat.id, last).catch(() => {})
  }, [client])

  const later = useCallback(() => {
    timer.current ??= setTimeout(mark, afterMs)
  }, [mark])

  useEffect(() => {
    document.addEventListener('visibilitychange', later)
    return () => {
      document.removeEventListener('visibilitychange', later)
      clearTimeout(timer.current)
      timer.current = undefined
    }
  }, [later])

  return useCallback(
    (sequence: number) => {
      reached.current = Math.max(reached.current, sequence)
      later()
    },
    [later],
  )
}
