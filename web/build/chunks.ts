import type { Rolldown } from 'vite'

type Modules = Parameters<Extract<NonNullable<Rolldown.CodeSplittingGroup['name']>, (...given: never[]) => unknown>>[1]

/** Pages with much of their own: what they need and nobody outside of their slice comes as one file. */
const rooms: { name: string; page: RegExp; slice: RegExp }[] = [
  { name: 'chat', page: /src\/chats\/chat-page\.tsx$/, slice: /src\/chats\// },
  { name: 'album', page: /src\/gallery\/(?:gallery|photo)-page\.tsx$/, slice: /src\/(?:gallery|wall)\// },
  { name: 'events', page: /src\/events\/(?:events-list|no-event)\.tsx$/, slice: /src\/events\// },
  { name: 'event', page: /src\/overview\/event-page\.tsx$/, slice: /src\/(?:events|overview)\// },
]
/** Before somebody is signed in. */
const outside = /src\/accounts\/(?:front|sign-in|register|provider|forgot|reset|join)-page\.tsx$/
/** Where one enters, or sets how; what they share is for nobody else. Of that the account's page needs little. */
const entering =
  /src\/accounts\/(?:(?:account|claim|forgot|password|profile|provider|register|reset|sign-in)-page|delete-dialog|proof-dialog|providers-ahead)\.tsx?$/
const account = /src\/accounts\/account-page\.tsx$/
/** What the profile needs of that, without the ways in. */
const fields = /src\/accounts\/account-fields\.tsx$/
/** What one writes with: one file, which must arrive before the pictures of what is read take the network. */
const writing =
  /src\/(?:chats\/(?:composer|gestures|toggle-reaction|typists|pending-message|drafts)|events\/mention-(?:list|words)|ui\/emoji)\.tsx?$/
/** What every page loads once it is drawn, to send what waits: without the chat that it was written in. */
const sending = /src\/chats\/(?:outbox|reducer|window-changes|mark-seen)\.ts$|sdk\/src\/outbox\.ts$/
/** What was seen, and what waits, in the browser. */
const keeping = /src\/app\/(?:kept|seen|database|pictures-cache)\.ts$/
/** What the bundler adds, and what every icon stands on. */
const everywhere = /preload-helper|src\/ui\/icon\.ts|rolldown.runtime/
const router = /src\/shell\/router\.tsx$/
/** Of a few pages that are rooms of their own, or before somebody is signed in: everybody else would load it for nothing. */
const apart = [
  { name: 'adding', of: /src\/gallery\/add-photos\.tsx$/ },
  { name: 'rare', of: /src\/app\/rare\.ts$|sdk\/src\/(?:announcements|privacy|recovery|transfers)\.ts$/ },
  { name: 'confirm', of: /src\/ui\/confirm\.tsx$/ },
  { name: 'languages', of: /src\/accounts\/language-names\.ts$/ },
  { name: 'arriving', of: /src\/(?:app\/came-by|accounts\/(?:kept-links|language-choice))\.tsx?$/ },
]
/** Visited one after the other, and much alike. */
const settings = /src\/(?:accounts|installed|people)\//
/** For an icon of these nobody should need to load a room. */
const elsewhere = new RegExp(`${settings.source}|${writing.source}`)
/** Around many pages. */
const shell = /src\/(?:shell\/shell|chats\/chats-layout|events\/events-layout)\.tsx$/

/**
 * Names the file that a module goes into: of everybody who is signed in, or of one room. Undefined where the bundler may
 * decide. Forty small files, as it would make by itself, compress worse by 6 KB and take eight turns on six connections.
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
  // The entry among them: as a file of its own it would only name the others.
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

/** What is loaded by and by: the pages, and the parts that they open. */
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

/** What a module stands on. Of a package that offers everything in one place only what is taken counts. */
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
/** The module of each icon by its name. */
const iconsOf = (barrel: string, modules: Modules): Map<string, string> => {
  if (icons) return icons
  icons = new Map()
  const { code = '' } = modules.getModuleInfo(barrel) ?? {}
  for (const [, names = '', path = ''] of code?.matchAll(/export \{([^}]*)\} from ["'](\.\/icons\/[^"']*)["']/g) ?? [])
    for (const [, name = ''] of names.matchAll(/as (\w+)/g)) icons.set(name, new URL(path, `file://${barrel}`).pathname)
  return icons
}
