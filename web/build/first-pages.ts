import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, parseSync, type Rolldown } from 'vite'
import { wordsFile } from './languages.ts'

const router = 'src/shell/router.tsx'
/** Modules that their layout loads by and by, as beside another page they can wait, but which these pages begin with. */
const begins: Record<string, string> = { '/events': '../events/events-list.tsx', '/chats': '../chats/chats-list.tsx' }
/** Modules that a page goes on with as soon as it is drawn. */
const goesOn: Record<string, string> = { '/events/$eventId/chat': '../chats/composer.tsx' }

/** What the service names in the head of a page, so that it comes at once and not by and by: see `pages.json`. */
export type Ahead = {
  /** Files by page, such as `/events/$eventId/chat`, without those that index.html names itself. */
  pages: Record<string, string[]>
  /** Files that a page asks for when it is drawn: they come on what network there is beside the others. */
  next: Record<string, string[]>
  /** The file of each language's words. */
  words: Record<string, string>
  /** The script that asks early for what a page shows. Its own text, as it stands in the page: no turn of the network. */
  early: string
}

/** Writes `pages.json`, read off the router itself. */
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
          // It lies with others, and who loads it loads them: the bundler made no file that only hands it on.
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

/** Every page that a router's source declares, with the modules of its own component and of those around it. */
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
