import type { Rolldown } from 'vite'

type Modules = Parameters<Extract<NonNullable<Rolldown.CodeSplittingGroup['name']>, (...given: never[]) => unknown>>[1]

/** Pages with a lot of code of their own: what only their slice needs is one file. */
const rooms: { name: string; page: RegExp; slice: RegExp }[] = [
  { name: 'chat', page: /src\/chats\/chat-page\.tsx$/, slice: /src\/chats\// },
  { name: 'album', page: /src\/gallery\/(?:gallery|photo)-page\.tsx$/, slice: /src\/(?:gallery|wall)\// },
  { name: 'events', page: /src\/events\/(?:events-list|no-event)\.tsx$/, slice: /src\/events\// },
  { name: 'event', page: /src\/overview\/event-page\.tsx$/, slice: /src\/(?:events|overview)\// },
]
/** An event shows the newest photos of its album. */
const photos = /src\/(?:overview\/event|gallery\/(?:gallery|photo))-page\.tsx$/
/** Before somebody is signed in. */
const outside = /src\/accounts\/(?:front|sign-in|register|provider|forgot|reset|join)-page\.tsx$/
/** Ways to sign in, and their settings; nobody else needs what they share. The account's page needs little of it. */
const entering =
  /src\/accounts\/(?:(?:account|claim|forgot|password|profile|provider|register|reset|sign-in)-page|delete-dialog|proof-dialog|providers-ahead)\.tsx?$/
const account = /src\/accounts\/account-page\.tsx$/
/** What the profile needs of that, without the ways to sign in. */
const fields = /src\/accounts\/account-fields\.tsx$/
/** The composer: one file, which must arrive before the pictures of what is read occupy the network. */
const writing =
  /src\/(?:chats\/(?:composer|gestures|toggle-reaction|typists|pending-message|drafts)|events\/mention-(?:list|words)|ui\/emoji)\.tsx?$/
/** What every page loads after rendering, to send what is waiting: without the chat in which it was written. */
const sending = /src\/chats\/(?:outbox|reducer|window-changes|mark-seen)\.ts$|sdk\/src\/outbox\.ts$/
/** Offline data and upload queues in the browser. */
const keeping = /src\/app\/(?:kept|seen|database|pictures-cache)\.ts$/
/** The bundler's runtime, and what every icon depends on. */
const everywhere = /preload-helper|src\/ui\/icon\.ts|rolldown.runtime/
const router = /src\/shell\/pages\.ts$/
/** Pages that few need, or only before signing in: everybody else would load them for nothing. */
const apart = [
  { name: 'adding', of: /src\/gallery\/add-photos\.tsx$/ },
  { name: 'rare', of: /src\/app\/rare\.ts$|sdk\/src\/(?:announcements|privacy|recovery|transfers)\.ts$/ },
  { name: 'people', of: /src\/people\/api\.ts$|sdk\/src\/people\.ts$/ },
  { name: 'ways', of: /src\/app\/ways\.ts$|sdk\/src\/(?:links|providers)\.ts$/ },
  { name: 'confirm', of: /src\/ui\/confirm\.tsx$/ },
  { name: 'languages', of: /src\/accounts\/language-names\.ts$/ },
  { name: 'arriving', of: /src\/(?:app\/came-by|accounts\/(?:kept-links|language-choice))\.tsx?$/ },
]
/** Visited one after another, and similar. */
const settings = /src\/(?:accounts|installed|people)\//
/** Nobody should need to load such a page for one of its icons. */
const elsewhere = new RegExp(`${settings.source}|${writing.source}`)
/** Layouts around many pages. */
const shell = /src\/(?:shell\/shell|chats\/chats-layout|events\/events-layout)\.tsx$/

/**
 * Names the file that a module goes into: that of everybody signed in, or that of one page. Undefined if the bundler
 * may decide. Left alone, it would create forty small files, which compress worse by 6 KB and take eight round trips on
 * six connections.
 */
export const chunkOf = () => {
  let known: Map<string, string> | undefined
  return (id: string, modules: Modules): string | null => {
    known ??= placed(modules)
    if (everywhere.test(id)) return 'floor'
    if (sending.test(id)) return 'sending'
    if (keeping.test(id)) return 'keeping'
    const own = apart.find(({ of }) => of.test(id))
    if (own) return own.name
    if (fields.test(id)) return 'fields'
    return writing.test(id) ? 'writing' : (known.get(id) ?? null)
  }
}

const placed = (modules: Modules): Map<string, string> => {
  const { pages, parts } = laterOf(modules)
  const reached = new Map<string, string[]>()
  for (const later of [...pages, ...parts])
    for (const id of closureOf(later, modules)) reached.set(id, [...(reached.get(id) ?? []), later])
  const names = new Map<string, string>()
  // Including the entry: in a file of its own, it would only name the others.
  const first = closureOf(main(modules), modules)
  for (const id of first) names.set(id, 'floor')
  for (const [id, by] of reached) {
    if (first.has(id)) continue
    const touched = rooms.filter(({ page }) => by.some(later => page.test(later)))
    const [room] = touched
    // Its own parts, such as a dialog, find there what they share with it.
    const own = room && by.every(later => room.page.test(later) || (parts.has(later) && room.slice.test(later)))
    if (by.length > 1 && by.every(later => entering.test(later)))
      names.set(id, by.some(later => account.test(later)) ? 'providers' : 'entering')
    else if (by.length > 1 && by.some(later => outside.test(later))) names.set(id, room ? 'common' : 'forms')
    else if (by.every(later => photos.test(later) || parts.has(later)) && touched.length > 1) names.set(id, 'photos')
    else if (by.some(later => shell.test(later)) || touched.length > 1) names.set(id, 'inside')
    else if (room && own) names.set(id, room.name)
    else if (room)
      names.set(id, isIcon(id) && by.some(later => elsewhere.test(later)) ? 'inside' : `${room.name}-shared`)
    else if (by.every(later => settings.test(later)) && by.filter(later => pages.has(later)).length > 2)
      names.set(id, 'settings')
    // They would be twenty files of a few hundred bytes.
    else if (by.length > 1 && (isIcon(id) || by.some(later => writing.test(later)))) names.set(id, 'small')
  }
  return names
}

/** Dynamically imported modules: the pages, and the parts that they open. */
const laterOf = (modules: Modules) => {
  const pages = new Set<string>()
  const parts = new Set<string>()
  const seen = new Set<string>()
  const walk = (id: string) => {
    if (seen.has(id)) return
    seen.add(id)
    const { importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(id) ?? {}
    for (const later of dynamicallyImportedIds) (router.test(id) || shell.test(id) ? pages : parts).add(later)
    for (const next of [...importedIds, ...dynamicallyImportedIds]) walk(next)
  }
  walk(html)
  return { pages, parts }
}

const html = new URL('../index.html', import.meta.url).pathname
const main = (modules: Modules) =>
  modules.getModuleInfo(html)?.importedIds.find(id => /src\/shell\/main/.test(id)) ?? html

const closureOf = (page: string, modules: Modules): Set<string> => {
  const found = new Set([page])
  for (const id of found) for (const next of neededBy(id, modules)) found.add(next)
  return found
}

/** A module's dependencies. Of a package that re-exports everything in one place, only what is used counts. */
const neededBy = (id: string, modules: Modules): string[] => {
  const { importedIds = [], code } = modules.getModuleInfo(id) ?? {}
  const [own] = /.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(id) ?? []
  if (own) return isIcon(id) ? [] : importedIds.filter(next => next.startsWith(own))
  return importedIds.flatMap(next => {
    if (!next.includes('/lucide-react/')) return next.includes('/radix-ui/') ? [] : next
    const taken = /import \{([^}]*)\} from ["']lucide-react["']/.exec(code ?? '')?.[1] ?? ''
    const icons = iconsOf(next, modules)
    return taken.split(',').flatMap(name => icons.get(name.trim().split(' ')[0] ?? '') ?? [])
  })
}

const isIcon = (id: string) => id.includes('/lucide-react/')

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
