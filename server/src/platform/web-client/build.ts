import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '../../../..')
const home = join(root, 'web')
/** Builds made at install time are here. */
export const builtClient = join(home, 'dist')

/** The sources of the client: whole folders, and files by name. */
const sources = ['web/src', 'web/public', 'web/build', 'sdk/src', 'contract/src']
const single = ['web/index.html', 'web/vite.config.ts', 'package-lock.json']

/** Tells whether it was built from these sources, judged by their content: a checkout changes times, not contents. */
export const isBuilt = async (place = builtClient): Promise<boolean> => {
  const built = await readFile(join(place, '.sources'), 'utf8').catch(() => '')
  return built !== '' && built === (await sourcesHash())
}

/** Builds the client and replaces the previous one. Throws with the build's output. */
export const buildClient = async (place = builtClient): Promise<void> => {
  const hash = await sourcesHash()
  // Another start may be building too: each in a folder of its own, and the first result stays.
  const target = `${place}-${process.pid}`
  await mkdir(dirname(place), { recursive: true })
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  // Loaded by Node itself, the settings need no bundle of their own, which Vite would write into node_modules. The
  // output path is relative to where the build runs, as the plugins expect it below.
  const options = [
    '--configLoader',
    'native',
    '--outDir',
    relative(home, target),
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ]
  const child = spawn(process.execPath, [vite, 'build', ...options], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  if (code !== 0) {
    await rm(target, { recursive: true, force: true })
    throw new Error((await said).join('').trim() || `the build ended with ${code}`)
  }
  await writeFile(join(target, '.sources'), hash)
  if (!(await isBuilt(place))) await putInPlace(target, place)
  await rm(target, { recursive: true, force: true })
}

/** Nobody finds the place half empty: the old build is removed in one step, and the new one arrives in another. */
const putInPlace = async (target: string, place: string) => {
  const before = `${target}-before`
  try {
    await rename(place, before)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  try {
    await rename(target, place)
  } catch (error) {
    // The other start was faster, with the same result.
    if (!(await isBuilt(place))) throw error
  }
  await rm(before, { recursive: true, force: true })
}

const sourcesHash = async () => {
  const found = await Promise.all(
    sources.map(async folder => {
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
      return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
    }),
  )
  const paths = [...found.flat().sort(), ...single.map(name => join(root, name))].filter(
    path => !path.endsWith('.test.ts'),
  )
  const hash = createHash('sha256')
  const contents = await Promise.all(paths.map(path => readFile(path)))
  for (const [at, content] of contents.entries())
    hash.update(`${paths[at]?.slice(root.length)} ${content.length}\n`).update(content)
  return hash.digest('hex')
}
