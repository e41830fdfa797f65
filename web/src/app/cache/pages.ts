import type { InfiniteData } from '@tanstack/react-query'

/** The service's list envelope. */
export type ListPage<Item> = { data: Item[]; next_page_url: string | null; current_page: number }
export type Listed<Item> = InfiniteData<ListPage<Item>, unknown>

/** Options shared by all lists loaded page by page. */
export const paged = {
  initialPageParam: 1,
  getNextPageParam: (last: { next_page_url: string | null; current_page: number }) =>
    last.next_page_url === null ? undefined : last.current_page + 1,
}

/** The rows of all pages, each once: rows move to the next page when somebody adds new ones. */
export const rowsOf = <Item>(listed: Listed<Item> | undefined, idOf: (item: Item) => unknown): Item[] => {
  const seen = new Set<unknown>()
  return (listed?.pages ?? [])
    .flatMap(page => page.data)
    .filter(item => !seen.has(idOf(item)) && seen.add(idOf(item)) !== undefined)
}

export const eachRow = <Item>(listed: Listed<Item>, change: (item: Item) => Item): Listed<Item> => ({
  ...listed,
  pages: listed.pages.map(page => ({ ...page, data: page.data.map(change) })),
})

export const withoutRow = <Item>(listed: Listed<Item>, gone: (item: Item) => boolean): Listed<Item> => ({
  ...listed,
  pages: listed.pages.map(page => ({ ...page, data: page.data.filter(item => !gone(item)) })),
})

/** Puts a row at the top, or in its place if it is already there. */
export const withRowFirst = <Item>(listed: Listed<Item>, row: Item, same: (item: Item) => boolean): Listed<Item> => {
  if (listed.pages.some(page => page.data.some(same))) return eachRow(listed, item => (same(item) ? row : item))
  const [first, ...rest] = listed.pages
  return first ? { ...listed, pages: [{ ...first, data: [row, ...first.data] }, ...rest] } : listed
}
