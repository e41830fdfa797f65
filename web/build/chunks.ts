import { join } from 'node:path'
import type { Rolldown } from 'vite'
import { pagesOf } from './first-pages.ts'

type Modules = Parameters<Extract<NonNullable<Rolldown.CodeSplittingGroup['name']>, (...given: never[]) => unknown>>[1]

const main = join(import.meta.dirname, '../src/shell/main.tsx')
const pages = await pagesOf()

/** The pages where people spend their time: each has few files, with little in them that it does not need. */
const rooms: Record<string, string> = {
  '/events': 'events',
  '/events/:eventId': 'event',
  '/events/:eventId/chat': 'chat',
  '/events/:eventId/photos': 'album',
  '/events/:eventId/photos/:photoId': 'album',
}
/** What so many pages need, all of them load. */
const manyPages = 8

/**
 * Names the file that a module goes into, by the pages that need it at first; null if there is none, and the bundler may
 * decide. Left alone, it would create forty small files for a page, each of which is a request.
 */
export const chunkOf = () => {
  let known: Map<string, string> | undefined
  return (id: string, modules: Modules): string | null => {
    known ??= placed(modules)
    return known.get(id) ?? null
  }
}

const placed = (modules: Modules): Map<string, string> => {
  const neededBy = new Map<string, string[]>()
  for (const { path, modules: parts, next } of pages)
    for (const [page, ids] of Object.entries({ [path]: parts, [`${path}+`]: next }))
      for (const id of closureOf(ids, modules)) neededBy.set(id, [...(neededBy.get(id) ?? []), page])
  const names = new Map([...neededBy].map(([id, paths]) => [id, nameFor(id, paths)]))
  for (const id of closureOf([main], modules)) names.set(id, 'floor')
  return names
}

const slice = /src\/(\w+)\//
const nameFor = (id: string, paths: string[]): string => {
  const [room, ...others] = new Set(paths.flatMap(path => rooms[path.replace('+', '')] ?? []))
  if (paths.length >= manyPages || others.length > 0) return 'inside'
  if (paths.length === 1) return `page${paths[0]?.replace(/\W+/g, '-')}`
  return `shared-${room ?? slice.exec(id)?.[1] ?? 'packages'}`
}

/** What is imported from these modules on, however far away, but not on demand. */
const closureOf = (ids: string[], modules: Modules): Set<string> => {
  const found = new Set(ids)
  for (const id of found) for (const next of neededBy(id, modules)) found.add(next)
  return found
}

/** A module's dependencies. Of a package that re-exports everything in one place, only what is used counts. */
const neededBy = (id: string, modules: Modules): string[] => {
  const { importedIds = [], code } = modules.getModuleInfo(id) ?? {}
  const [own] = /.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(id) ?? []
  if (own) return importedIds.filter(next => next.startsWith(own) || next === icon)
  return importedIds.flatMap(next => {
    if (!next.includes('/lucide-react/')) return next.includes('/radix-ui/') ? [] : next
    const taken = /import \{([^}]*)\} from ["']lucide-react["']/.exec(code ?? '')?.[1] ?? ''
    const icons = iconsOf(next, modules)
    return taken.split(',').flatMap(name => icons.get(name.trim().split(' ')[0] ?? '') ?? [])
  })
}

/** Draws every icon, in place of the library's own: see vite.config.ts. */
const icon = join(import.meta.dirname, '../src/ui/icon.ts')

let icons: Map<string, string> | undefined
/** The module of each icon by name. */
const iconsOf = (barrel: string, modules: Modules): Map<string, string> => {
  if (icons) return icons
  icons = new Map()
  const { code = '' } = modules.getModuleInfo(barrel) ?? {}
  for (const [, names = '', path = ''] of code?.matchAll(/export \{([^}]*)\} from ["'](\.\/icons\/[^"']*)["']/g) ?? [])
    for (const [, name = ''] of names.matchAll(/as (\w+)/g)) icons.set(name, new URL(path, `file://${barrel}`).pathname)
  return icons
}
