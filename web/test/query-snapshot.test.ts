import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { livesByLinkMs, type StoredQuery, seenOf, showAgain, worthShowing } from '../src/app/cache/query-snapshot.ts'

const day = 24 * 60 * 60_000
const keptOf = (client: QueryClient, key: unknown[]): StoredQuery => {
  const query = client.getQueryCache().find({ queryKey: key })
  const seen = query && seenOf(query)
  if (!seen) throw new Error('nothing to keep')
  return structuredClone(seen)
}

test('a stored page is restored unchanged, and with its age', () => {
  const before = new QueryClient()
  before.setQueryData(['chat', 7], { name: 'Lanterns' }, { updatedAt: 1234 })
  const after = new QueryClient()
  showAgain(after, keptOf(before, ['chat', 7]))
  expect(after.getQueryState(['chat', 7])).toMatchObject({
    data: { name: 'Lanterns' },
    dataUpdatedAt: 1234,
    isInvalidated: false,
  })
})

test('a stale query stays stale', async () => {
  const before = new QueryClient()
  before.setQueryData(['chat', 7], 'words')
  await before.invalidateQueries({ queryKey: ['chat', 7] })
  const after = new QueryClient()
  showAgain(after, keptOf(before, ['chat', 7]))
  expect(after.getQueryState(['chat', 7])?.isInvalidated).toBe(true)
})

test('a query loaded meanwhile is not replaced by an older one', () => {
  const before = new QueryClient()
  before.setQueryData(['chat', 7], 'old', { updatedAt: 1 })
  const after = new QueryClient()
  after.setQueryData(['chat', 7], 'new', { updatedAt: 2 })
  showAgain(after, keptOf(before, ['chat', 7]))
  expect(after.getQueryData(['chat', 7])).toBe('new')
})

test('the first ten pages of a list of eighty are stored, each with its number', () => {
  const pages = Array.from({ length: 80 }, (_, at) => ({ data: [at], next_page_url: 'next', current_page: at + 1 }))
  const client = new QueryClient()
  client.setQueryData(['photos'], { pages, pageParams: pages.map(page => page.current_page) })
  const { data } = keptOf(client, ['photos']) as { data: { pages: unknown[]; pageParams: number[] } }
  expect(data.pages).toEqual(pages.slice(0, 10))
  expect(data.pageParams).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  // The visible parts stay whole.
  expect(client.getQueryData<{ pages: unknown[] }>(['photos'])?.pages).toHaveLength(80)
})

test('the newest 200 messages of a long chat are stored, and all of a stretch in the middle', () => {
  const messages = Array.from({ length: 600 }, (_, id) => ({ id }))
  const client = new QueryClient()
  client.setQueryData(['end'], { messages, atEnd: true, marks: { 7: 599 } })
  client.setQueryData(['middle'], { messages, atEnd: false, marks: {} })
  expect(keptOf(client, ['end']).data).toEqual({ messages: messages.slice(-200), atEnd: true, marks: { 7: 599 } })
  expect(keptOf(client, ['middle']).data).toEqual({ messages, atEnd: false, marks: {} })
})

test('a query that never loaded is not stored', () => {
  const client = new QueryClient()
  client.getQueryCache().build(client, { queryKey: ['nothing'] })
  const query = client.getQueryCache().find({ queryKey: ['nothing'] })
  expect(query && seenOf(query)).toBeUndefined()
})

test('a query older than a week, or by a link than a day, is not restored, nor more than the newest three hundred', () => {
  const seen = (ago: number): StoredQuery => ({
    key: [ago],
    data: ago,
    updatedAt: 1,
    stale: false,
    keptAt: Date.now() - ago,
  })
  expect(worthShowing([seen(8 * day), seen(day), seen(0)]).map(({ data }) => data)).toEqual([0, day])
  expect(worthShowing([seen(day + 1), seen(day - 1000)], livesByLinkMs).map(({ data }) => data)).toEqual([day - 1000])
  const many = Array.from({ length: 310 }, (_, at) => seen(at * 1000))
  expect(worthShowing(many.toReversed()).map(({ data }) => data)).toEqual(many.slice(0, 300).map(({ data }) => data))
})
