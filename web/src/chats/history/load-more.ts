import type { QueryClient } from '@tanstack/react-query'

/** What it gives up is asked for again by who scrolls on. */
export const loadMore = (which: 'loadOlder' | 'loadNewer', client: QueryClient, chatId: number) =>
  import('./history-pages.ts').then(pages => pages.loadOnce(which, client, chatId)).catch(() => {})
