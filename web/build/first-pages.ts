import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, parseSync, type Rolldown } from 'vite'
import { wordsFile } from './languages.ts'

const router = 'src/shell/router.tsx'
/** Modules that their layout imports lazily, because on other pages they can wait, but with which these pages begin. */
const begins: Record<string, string> = { '/events': '../events/events-list.tsx', '/chats': '../chats/chats-list.tsx' }
/** Modules that a page needs as soon as it is rendered. */
const goesOn: Record<string, string> = { '/events/$eventId/chat': '../chats/composer.tsx' }

/** What the service lists in the head of a page, so that it loads at once: see `pages.json`. */
export type Ahead = {
  /** Files by page, such as `/events/$eventId/chat`, except those that index.html lists itself. */
  pages: Record<string, string[]>
  /** Files that a page requests once it is rendered: they share the remaining bandwidth. */
  next: Record<string, string[]>
  /** The file with each language's texts. */
  words: Record<string, string>
  /** The script that requests a page's data early. Inlined in the page: no round trip. */
  early: string
}

/** Writes `pages.json`, derived from the router itself. */
export const firstPages = (): Plugin => {
  let root = ''
  return {
    name: 'first-pages',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      root = config.root
    },
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter(each => each.type === 'chunk')
      const entry = chunks.find(({ moduleIds }) => moduleIds.includes(join(root, 'src/shell/main.tsx')))
      const early = chunks.find(({ facadeModuleId }) => facadeModuleId === join(root, 'src/app/early.ts'))
      // The service worker is a build of its own.
      if (!chunks.some(({ facadeModuleId }) => facadeModuleId?.endsWith('.tsx')) || !entry || !early) return
      const first = filesOf(entry, bundle)
      const source = readFileSync(join(root, router), 'utf8')
      const filesBy = (module: string) => {
        const id = join(root, router, '..', module)
        const chunk =
          chunks.find(({ facadeModuleId }) => facadeModuleId === id) ??
          // It is bundled with others, which are loaded instead: the bundler created no file that only re-exports it.
          chunks.find(({ moduleIds }) => moduleIds.includes(id))
        if (!chunk) throw new Error(`${router} names ${module}, which is no chunk`)
        return [...filesOf(chunk, bundle)]
      }
      const pages: Ahead['pages'] = {}
      const next: Ahead['next'] = {}
      for (const { path, modules } of pagesIn(source)) {
        const files = new Set([...modules, ...(begins[path] ? [begins[path]] : [])].flatMap(filesBy))
        pages[path] = [...files].filter(file => !first.has(file))
        const later = new Set(goesOn[path] ? filesBy(goesOn[path]) : [])
        if (later.size > 0) next[path] = [...later].filter(file => !first.has(file) && !files.has(file))
      }
      const words = Object.fromEntries(
        Object.values(bundle).flatMap(({ type, fileName, ...asset }) => {
          const [, language] = wordsFile.exec(type === 'asset' ? fileName : '') ?? []
          return language && 'source' in asset ? [[language, fileName]] : []
        }),
      )
      delete bundle[early.fileName]
      this.emitFile({
        type: 'asset',
        fileName: 'pages.json',
        source: JSON.stringify({ pages, next, words, early: early.code.trim() } satisfies Ahead),
      })
    },
  }
}

/** A chunk with everything that it cannot run without. */
const filesOf = (chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): Set<string> => {
  const files = new Set([chunk.fileName])
  for (const file of files) {
    const each = bundle[file]
    if (each?.type !== 'chunk') continue
    for (const next of [...each.imports, ...(each.viteMetadata?.importedCss ?? [])]) files.add(next)
  }
  return files
}

type Node = { type: string; name?: string; value?: unknown; [field: string]: unknown }
type Route = { parent?: string; path?: string; module?: string }

/** Every page declared in a router's source, with the modules of its own component and of its layouts. */
export const pagesIn = (source: string): { path: string; modules: string[] }[] => {
  const routes = new Map<string, Route>()
  for (const { node } of each(parseSync('router.tsx', source).program as unknown as Node)) {
    const call = node.init as Node | undefined
    if (node.type !== 'VariableDeclarator' || !call || (call.callee as Node | undefined)?.name !== 'createRoute')
      continue
    const [options] = call.arguments as Node[]
    const fields = (options?.properties ?? []) as (Node & { key: Node; value: Node })[]
    const field = (name: string) => fields.find(({ key }) => key?.name === name)?.value
    const parent = (field('getParentRoute')?.body as Node | undefined)?.name
    const path = field('path')?.value as string | undefined
    const component = field('component')
    const imported = component && [...each(component)].find(({ node }) => node.type === 'ImportExpression')?.node
    const module = (imported?.source as Node | undefined)?.value as string | undefined
    routes.set((node.id as Node).name ?? '', {
      ...(parent && { parent }),
      ...(path && { path }),
      ...(module && { module }),
    })
  }
  const lineOf = (name: string | undefined): Route[] => {
    const route = name === undefined ? undefined : routes.get(name)
    return route ? [...lineOf(route.parent), route] : []
  }
  return [...routes].flatMap(([name, { path, module }]) => {
    const line = lineOf(name)
    return path && module
      ? {
          path: `/${line.flatMap(each => each.path?.split('/').filter(Boolean) ?? []).join('/')}`,
          modules: line.flatMap(each => each.module ?? []),
        }
      : []
  })
}

function* each(node: Node): Generator<{ node: Node }> {
  yield { node }
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && 'type' in child) yield* each(child as Node)
}
