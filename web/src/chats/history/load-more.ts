import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Chat } from '../queries.ts'
import type { View } from './history-scroller.tsx'
import { firstOf, lacksNewest, lastOf, type Window } from './window.ts'

/** A failed request is repeated when the user scrolls on. */
export const loadMore = (which: 'loadOlder' | 'loadNewer', client: QueryClient, chatId: number) =>
  import('./history-pages.ts').then(pages => pages.loadOnce(which, client, chatId)).catch(() => {})

/** More rows are requested when this many are left: a second of fast scrolling. */
const aheadRows = 60

/** By then the channel has usually announced those in between. */
const lateMs = 100

/** Loads the newest missing messages. Returns a function that loads more at the end the reader is near. */
export const useMore = (chat: Chat, shown: Window) => {
  const client = useQueryClient()
  const [first, last] = [firstOf(shown), lastOf(shown)]
  const lacks = lacksNewest(shown, chat.extra.last_sequence)
  const firstLacking = lacks ? last + 1 : undefined
  useEffect(() => {
    if (firstLacking === undefined) return
    const late = setTimeout(loadMore, lateMs, 'loadNewer', client, chat.id)
    return () => clearTimeout(late)
  }, [firstLacking, client, chat.id])
  return (view: View) => {
    const ahead = view.moved ? aheadRows : 0
    if (first > 1 && view.first - first <= ahead) void loadMore('loadOlder', client, chat.id)
    if ((lacks || !shown.atEnd) && last - view.last <= ahead) void loadMore('loadNewer', client, chat.id)
  }
}
