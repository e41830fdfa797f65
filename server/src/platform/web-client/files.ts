import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type CompressedFile, etagOf } from '../http/compressed-file.ts'
import { version } from '../process/version.ts'
import { type Preloads, preloadsFrom } from './preloads.ts'

/** URL path → file, without the page itself. */
export type ClientFiles = { page: string; ahead: Preloads; files: Map<string, CompressedFile> }

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Reads a built client into memory (about 2 MB), so that no later build can remove a file from under a reader. Its page
 * is told its version, and below which path of the host it lies.
 */
export const readClient = async (directory: string, publicPath = ''): Promise<ClientFiles> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const contents = new Map(await Promise.all(paths.map(async path => [path, await readFile(path)] as const)))
  const files = new Map<string, CompressedFile>()
  for (const [path, plain] of contents) {
    const type = types[extname(path)]
    if (!type) continue
    const url = path.slice(directory.length).replaceAll('\\', '/')
    const [br, gzip] = [contents.get(`${path}.br`), contents.get(`${path}.gz`)]
    files.set(url, {
      type,
      immutable: url.startsWith('/assets/'),
      etag: etagOf(plain),
      plain,
      ...(br && { br }),
      ...(gzip && { gzip }),
    })
  }
  const built = files.get('/index.html')?.plain.toString()
  if (built === undefined) throw new Error(`no index.html in ${directory}`)
  const page = pageBelow(publicPath, built)
  const ahead = preloadsFrom(files.get('/pages.json')?.plain.toString(), publicPath)
  for (const ours of ['/index.html', '/files.json', '/pages.json']) files.delete(ours)
  return { page, ahead, files }
}

/** A page lies at any depth, so relative addresses become those of the host. */
const pageBelow = (publicPath: string, built: string) => {
  const told = [`data-version="${version}"`, ...(publicPath ? [`data-public-path="${publicPath}"`] : [])].join(' ')
  return built.replaceAll('="./', `="${publicPath}/`).replace('<html ', `<html ${told} `)
}
