import { parse } from 'regexparam'
import type { Page } from './page-code.ts'

export type Table = Readonly<Record<string, Page>>
/** The parameters of an address. */
export type Values = Record<string, string | number>

const routesOf = (pages: Table) => Object.entries(pages).map(([path, page]) => ({ ...parse(path), page }))
const routes = new WeakMap<Table, ReturnType<typeof routesOf>>()
const routesIn = (pages: Table) => {
  const known = routes.get(pages) ?? routesOf(pages)
  routes.set(pages, known)
  return known
}

/** The page of a path; the table lists `/events/new` before `/events/:eventId`. */
export const findPage = (pages: Table, path: string): { page: Page; params: Values } | undefined => {
  for (const { keys, pattern, page } of routesIn(pages)) {
    const found = pattern.exec(path)
    if (found) return { page, params: Object.fromEntries(keys.map((key, at) => [key, read(key, found[at + 1] ?? '')])) }
  }
  return undefined
}

const read = (key: string, text: string) => {
  if (key === 'eventId' || key === 'userId') return Number(text) || 0
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
