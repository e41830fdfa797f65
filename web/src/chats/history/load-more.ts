import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Chat } from '../queries.ts'
import type { View } from './history-place.tsx'
import { firstOf, lacksNewest, lastOf, type Window } from './window.ts'

/** What it gives up is asked for again by who scrolls on. */
export const loadMore = (which: 'loadOlder' | 'loadNewer', client: QueryClient, chatId: number) =>
  import('./history-pages.ts').then(pages => pages.loadOnce(which, client, chatId)).catch(() => {})

/** Rows that are left when more are asked for: a second of a thumb in a hurry. */
const aheadRows = 60

/** By then the channel has told of those in between, more often than not. */
const lateMs = 100

/** Loads what was written last and is missing. Returns what loads more at whichever end somebody is near. */
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
