import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import sharp from 'sharp'
import { given, serveOn } from './ceiling.ts'

/**
 * The two sizes of a photo, by vipsthumbnail once per size, as scripts do; where it is not installed by sharp, with a
 * pipeline per size, as most servers do.
 */
const { photo = '' } = given
const run = promisify(execFile)
const directory = mkdtempSync(join(tmpdir(), 'afterglow-thumbnails-'))
const env = { ...process.env, VIPS_CONCURRENCY: '1' }
const withTool = (edge: number, path: string) =>
  run('vipsthumbnail', [photo, '--size', `${edge}x${edge}>`, '--output', `${path}[Q=82,strip]`], { env })

sharp.concurrency(1)
const withSharp = (edge: number, path: string) =>
  sharp(photo)
    .autoOrient()
    .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 82 })
    .toFile(path)

const one = spawnSync('vipsthumbnail', ['--vips-version']).status === 0 ? withTool : withSharp
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
const server = Fastify()
server.post<{ Params: { job: string } }>('/:job', async ({ params }) => {
  for (const edge of [2048, 640]) await one(edge, join(directory, `${params.job}-${edge}.jpg`))
  return {}
})
await serveOn(server)
