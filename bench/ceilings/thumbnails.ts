import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { given, workWhenAsked } from './ceiling.ts'
import { inParallel } from './parallel.ts'

/**
 * The two sizes of a photo, two photos at once: by vipsthumbnail, once for each size, as scripts do it; where it is not
 * installed by sharp, a pipeline for each size, as most servers do it.
 */

const { photo = '' } = given
const edges = [2048, 640]
const run = promisify(execFile)
const directory = mkdtempSync(join(tmpdir(), 'afterglow-thumbnails-'))
const byTool = spawnSync('vipsthumbnail', ['--vips-version']).status === 0

const withTool = (lane: number, edge: number) =>
  run(
    'vipsthumbnail',
    [photo, '--size', `${edge}x${edge}>`, '--output', join(directory, `${lane}-${edge}.jpg[Q=82,strip]`)],
    {
      env: { ...process.env, VIPS_CONCURRENCY: '1' },
    },
  )

sharp.concurrency(1)
const withSharp = async (lane: number, edge: number) => {
  const picture = sharp(await readFile(photo))
    .autoOrient()
    .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
  await writeFile(join(directory, `${lane}-${edge}.jpg`), await picture.jpeg({ quality: 82 }).toBuffer())
}

const one = byTool ? withTool : withSharp
process.once('exit', () => void rm(directory, { recursive: true, force: true }))
workWhenAsked(seconds =>
  inParallel(2, seconds, async lane => {
    for (const edge of edges) await one(lane, edge)
  }),
)
