import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { applyChanges, become } from '../app/change.ts'
import { api } from '../app/client.ts'
import { eachRow, type Listed } from '../app/pages.ts'
import { withSeen } from './hearing.ts'
import { chatKey, chatsKey } from './keys.ts'
import type { Chat } from './queries.ts'
import { sequenceOf, type Window } from './window.ts'

const afterMs = 600

/** Moves the seen mark to what was in view for a moment of a page that is looked at. Returns where to say how far. */
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
    if (!last || document.visibilityState === 'hidden' || sequenceOf(last) <= (chat.extra?.seen_sequence ?? 0)) return
    const sequence = sequenceOf(last)
    const seen = (each: Chat) => (each.id === chat.id ? withSeen(each, sequence) : each)
    applyChanges(client, [
      become<Chat>(chatKey(chat.id), seen),
      become<Listed<Chat>>(chatsKey, listed => eachRow(listed, seen)),
    ])
    // What is left unread after a mark that stops short, group.updated tells.
    void api.chats.markSeen({ message_id: last.id }).catch(() => {})
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
