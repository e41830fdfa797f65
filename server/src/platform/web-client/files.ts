import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Ahead, aheadFrom } from './ahead.ts'

/** One file as it is sent, whole and in its compressed forms. */
export type ClientFile = {
  type: string
  /** Its name holds a hash of its content, so whoever has it need not ask again. */
  immutable: boolean
  /** Of its content, without quotes. */
  etag: string
  plain: Buffer
  br?: Buffer
  gzip?: Buffer
}

/** URL path → file, without the page itself. */
export type ClientFiles = { page: string; ahead: Ahead; files: Map<string, ClientFile> }

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
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

/** Reads a built client into memory (about 2 MB), so that no later build can pull a file away from under a reader. */
export const readClient = async (directory: string): Promise<ClientFiles> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const contents = new Map(await Promise.all(paths.map(async path => [path, await readFile(path)] as const)))
  const files = new Map<string, ClientFile>()
  for (const [path, plain] of contents) {
    const type = types[extname(path)]
    if (!type) continue
    const url = path.slice(directory.length).replaceAll('\\', '/')
    const [br, gzip] = [contents.get(`${path}.br`), contents.get(`${path}.gz`)]
    const etag = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
    files.set(url, {
      type,
      immutable: url.startsWith('/assets/'),
      etag,
      plain,
      ...(br && { br }),
      ...(gzip && { gzip }),
    })
  }
  const page = files.get('/index.html')?.plain.toString()
  if (page === undefined) throw new Error(`no index.html in ${directory}`)
  const ahead = aheadFrom(files.get('/pages.json')?.plain.toString())
  for (const ours of ['/index.html', '/files.json', '/pages.json']) files.delete(ours)
  return { page, ahead, files }
}
