import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { wordsFile } from './languages.ts'

/** What the service lists in the head of a page, so that it loads at once: see `pages.json`. */
export type Ahead = {
  /** Files by page, such as `/events/:eventId/chat`, except those that index.html lists itself. */
  pages: Record<string, string[]>
  /** The file with each language's texts. */
  words: Record<string, string>
}

type ModulesOfPage = { path: string; modules: string[] }

/** Every page of the client with the modules that it needs to be rendered. */
const pagesOf = async (): Promise<ModulesOfPage[]> => {
  const source = join(import.meta.dirname, '../src')
  // By its address, as the types of the whole client would come along.
  const { pages }: { pages: Record<string, { load: unknown }[]> } = await import(join(source, 'shell/page-table.ts'))
  return Object.entries(pages).map(([path, parts]) => ({
    path,
    modules: parts.map(({ load }) => join(source, 'shell', /["']([^"']+)["']/.exec(String(load))?.[1] ?? '')),
  }))
}

/** Writes `pages.json`. */
export const firstPages = (): Plugin => {
  let root = ''
  return {
    name: 'first-pages',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      root = config.root
    },
    async generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter(each => each.type === 'chunk')
      const entry = chunks.find(({ moduleIds }) => moduleIds.includes(join(root, 'src/shell/main.tsx')))
      // The service worker is a build of its own.
      if (!chunks.some(({ facadeModuleId }) => facadeModuleId?.endsWith('.tsx')) || !entry) return
      const first = filesOf(entry, bundle)
      const filesBy = (id: string) => {
        const chunk =
          chunks.find(({ facadeModuleId }) => facadeModuleId === id) ??
          // It is bundled with others, which are loaded instead: the bundler created no file that only re-exports it.
          chunks.find(({ moduleIds }) => moduleIds.includes(id))
        if (!chunk) throw new Error(`${id} is in no chunk`)
        return [...filesOf(chunk, bundle)]
      }
      const pages: Ahead['pages'] = {}
      for (const { path, modules } of await pagesOf()) {
        const files = new Set(modules.flatMap(filesBy))
        pages[path] = [...files].filter(file => !first.has(file))
      }
      const words = Object.fromEntries(
        Object.values(bundle).flatMap(({ type, fileName, ...asset }) => {
          const [, language] = wordsFile.exec(type === 'asset' ? fileName : '') ?? []
          return language && 'source' in asset ? [[language, fileName]] : []
        }),
      )
      this.emitFile({
        type: 'asset',
        fileName: 'pages.json',
        source: JSON.stringify({ pages, words } satisfies Ahead),
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
