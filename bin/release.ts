/**
 * `npm run release -- [<version>] [--dry-run] [--no-image]`: builds a release into release/<version>/: the npm
 * packages, the sources, the interface's documents, the SBOM, the image if buildah is installed, and the checksums.
 * Without --dry-run it also updates the version, the changelog and contract/released/, commits and tags. It publishes
 * nothing: the last lines say how.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { asyncapi } from '../contract/src/asyncapi.ts'
import { openapi } from '../contract/src/openapi.ts'
import { openapi30 } from '../contract/src/openapi-30.ts'
import { bare, breakingDifferences, corrected } from './breaking-differences.ts'
import { makePackages, packPackages, published } from './packages.ts'

const root = join(import.meta.dirname, '..')
const asked = process.argv.slice(2)
const dry = asked.includes('--dry-run')
const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const version: string = asked.find(each => !each.startsWith('--')) ?? manifest.version
const say = (words: string) => console.log(words)
const git = (...words: string[]) => execFileSync('git', words, { cwd: root }).toString().trim()

const giveUp = (why: string): never => {
  console.error(why)
  process.exit(1)
}
if (!/^\d+\.\d+\.\d+$/.test(version)) giveUp(`${version} is no version like 1.2.3.`)
const changelog = withVersion(await readFile(join(root, 'CHANGELOG.md'), 'utf8'))
const notes = changelog.split(/^## /m).find(section => section.split(/\s/, 1)[0] === version)
if (!notes) giveUp(`CHANGELOG.md says nothing of ${version}, and nothing is unreleased.`)
if (!dry && git('status', '--porcelain') !== '') giveUp('Commit first: a release is of what is committed.')
if (!dry && git('tag', '--list', `v${version}`) !== '')
  giveUp(`v${version} is tagged: what was released stays as it is.`)

const place = 'https://party.example'
const document = openapi(place)
const releasedFile = (name: string) => join(root, `contract/released/${name}.json`)
const released = await readFile(releasedFile('openapi'), 'utf8').catch(() => undefined)
const differences = released ? breakingDifferences(JSON.parse(released), bare(document) as typeof document) : []
const breaking = differences.filter(each => !corrected.includes(each))
if (breaking.length > 0) giveUp(`Clients of the last release would break:\n${breaking.join('\n')}`)

// First, so that the sources and the image come from the tagged commit.
if (!dry) await keep()
const folder = join(root, 'release', version)
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const put = (name: string, content: string) => writeFile(join(folder, name), content)

await put('CHANGES.md', `## ${notes?.trim()}\n`)
await put('openapi.json', JSON.stringify(document, null, 2))
await put('openapi-3.0.json', JSON.stringify(openapi30(document), null, 2))
await put('asyncapi.json', JSON.stringify(asyncapi(place), null, 2))
const made = join(folder, 'made')
packPackages(await makePackages(made, version), folder)
const archive = join(folder, `afterglow-${version}.tar.gz`)
git('archive', '--format=tar.gz', `--prefix=afterglow-${version}/`, '-o', archive, 'HEAD')
await put('sbom.cdx.json', await billOfMaterials())
const image = makeImage()
await rm(made, { recursive: true })

const names = (await readdir(folder)).sort()
const sums = await Promise.all(
  names.map(async name => {
    const sum = createHash('sha256').update(await readFile(join(folder, name)))
    return `${sum.digest('hex')}  ${name}`
  }),
)
await put('SHA256SUMS', `${sums.join('\n')}\n`)
say(`Afterglow ${version} in release/${version}:`)
for (const line of sums) say(`  ${line.slice(0, 12)}…  ${line.slice(66)}`)
say(image ? `  with ${basename(image)}` : '  without an image: that needs buildah, and no --no-image.')
if (dry) say('Nothing else was changed.')
else {
  say(`Committed and tagged v${version}. To publish:`)
  const packed = published.map(name => `npm publish afterglow-${name}-${version}.tgz`)
  say(`  git push --follow-tags && (cd release/${version} && ${packed.join(' && ')})`)
}

/**
 * A CycloneDX list of run-time dependencies from the lockfile. `npm sbom` fails if a test dependency requires another's
 * "latest".
 */
async function billOfMaterials(): Promise<string> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const components = Object.entries(packages).flatMap(([path, locked]) => {
    const { version: of, dev, link, integrity, license } = locked
    const at = path.lastIndexOf('node_modules/')
    if (at < 0 || dev || link || !of) return []
    const name = path.slice(at + 'node_modules/'.length)
    const [algorithm, hash] = integrity?.split('-') ?? []
    return {
      type: 'library',
      name,
      version: of,
      purl: `pkg:npm/${name.replace('@', '%40')}@${of}`,
      ...(license && { licenses: [{ expression: license }] }),
      ...(algorithm === 'sha512' &&
        hash && { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
    }
  })
  const component = { type: 'application', name: 'afterglow', version }
  return JSON.stringify(
    { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component }, components },
    null,
    2,
  )
}

type LockedPackage = { version?: string; dev?: boolean; link?: boolean; integrity?: string; license?: string }

/** From the archive, in which the commit stands. Docker's format, because OCI has no health checks. */
function makeImage(): string | undefined {
  if (asked.includes('--no-image') || spawnSync('buildah', ['--version']).status !== 0) return undefined
  const tag = `afterglow:${version}`
  const image = join(folder, `afterglow-${version}.image.tar`)
  execFileSync('tar', ['-xzf', archive, '-C', made])
  const context = join(made, `afterglow-${version}`)
  execFileSync('buildah', ['build', '--layers', '--format', 'docker', '--tag', tag, context], { stdio: 'inherit' })
  execFileSync('buildah', ['push', tag, `docker-archive:${image}:${tag}`], { stdio: 'inherit' })
  return image
}

async function keep() {
  for (const [name, each] of Object.entries({ openapi: document, asyncapi: asyncapi(place) }))
    await writeFile(releasedFile(name), `${JSON.stringify(bare(each))}\n`)
  for (const name of ['.', ...manifest.workspaces])
    await rewritten(join(root, name, 'package.json'), text => asJson(ofVersion(JSON.parse(text))))
  await rewritten(join(root, 'package-lock.json'), text => {
    const lock = JSON.parse(text)
    for (const name of ['', ...manifest.workspaces]) ofVersion(lock.packages[name])
    return asJson({ ...lock, version })
  })
  await rewritten(join(root, 'CHANGELOG.md'), text =>
    withVersion(text).replace(
      new RegExp(`^## ${version}$`, 'm'),
      `## ${version} (${new Date().toISOString().slice(0, 10)})`,
    ),
  )
  git('add', '--all')
  git('commit', '--message', `release: ${version}.`)
  git('tag', '--annotate', `v${version}`, '--message', `Afterglow ${version}`)
}

/** Moves the unreleased changes below this version's heading, above earlier ones. */
function withVersion(text: string): string {
  const heading = `## ${version}\n`
  const unreleased = /^## Unreleased\n/m
  return unreleased.test(text) ? text.replace(new RegExp(`^${heading}\n?`, 'm'), '').replace(unreleased, heading) : text
}

type VersionedManifest = { version?: string } & Partial<
  Record<'dependencies' | 'devDependencies', Record<string, string>>
>

/** Workspaces depend on each other by version, or npm would look for them in the registry. */
function ofVersion(of: VersionedManifest): VersionedManifest {
  if (of.version) of.version = version
  for (const needed of [of.dependencies, of.devDependencies])
    for (const name of Object.keys(needed ?? {})) if (needed && name.startsWith('@afterglow/')) needed[name] = version
  return of
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

async function rewritten(file: string, change: (text: string) => string) {
  await writeFile(file, change(await readFile(file, 'utf8')))
}
