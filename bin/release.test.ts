import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { full } from '../server/test/full.ts'
import { newFolder } from '../server/test/new-folder.ts'
import { whenDone } from '../server/test/when-done.ts'
import { buildingEnv, has } from './image-builds.ts'
import { published } from './packages.ts'

/* Releases a version other than the current one, up to its commit and tag, in a clone of the sources as they stand. */

const root = join(import.meta.dirname, '..')
const version = '7.8.9'
const clone = newFolder('release')
const folder = join(clone, 'release', version)

// Ignores the developer's git settings and signature.
const own = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
const names = ['AUTHOR', 'COMMITTER'].flatMap(each => [
  [`GIT_${each}_NAME`, 'Olivia'],
  [`GIT_${each}_EMAIL`, 'olivia@example.com'],
])
const env = { ...own, ...Object.fromEntries(names) }
const runIn = async (cwd: string, program: string, args: string[], more: NodeJS.ProcessEnv = process.env) => {
  const options = { cwd, env: { ...more, ...env }, maxBuffer: 64 * 1024 * 1024 }
  return (await promisify(execFile)(program, args, options)).stdout.trim()
}
const git = (...words: string[]) => runIn(clone, 'git', words)
const release = (...words: string[]) => runIn(clone, process.execPath, ['bin/release.ts', ...words, '--no-image'])

const tracked = await runIn(root, 'git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'])
for (const file of tracked.split('\0'))
  if (file && existsSync(join(root, file))) await cp(join(root, file), join(clone, file))
await symlink(join(root, 'node_modules'), join(clone, 'node_modules'))
await git('init', '--quiet')
await writeFile(join(clone, '.git/info/exclude'), 'node_modules\n')
const changes = '- What 7.8.9 brings.\n\n- What was written of it before.'
const changelog = `# Changelog

## Unreleased

- What 7.8.9 brings.

## ${version}

- What was written of it before.

## 7.8.90

- Of another.
`
await writeFile(join(clone, 'CHANGELOG.md'), changelog)
await git('add', '--all')
await git('commit', '--quiet', '--message', 'All of it.')

const textIn = (tarball: string, path: string) => runIn(folder, 'tar', ['xzOf', tarball, path])
const textOf = (name: string) => readFile(join(folder, name), 'utf8')

describe('a release', () => {
  test.each([
    ['of what is not committed', [version], 'Commit first', () => appendFile(join(clone, 'README.md'), 'more\n')],
    ['of a version that is tagged', ['0.1.0'], 'v0.1.0 is tagged', () => git('tag', 'v0.1.0')],
    [
      'that the changelog says nothing of',
      ['7.8.8', '--dry-run'],
      'CHANGELOG.md says nothing of 7.8.8',
      () => writeFile(join(clone, 'CHANGELOG.md'), changelog.replace('Unreleased', '7.8.91')),
    ],
    ['of no version', ['next'], 'next is no version'],
    [
      'that breaks clients of the last one',
      [version, '--dry-run'],
      'GET /api/former is gone',
      async () => {
        const file = join(clone, 'contract/released/openapi.json')
        const released = JSON.parse(await readFile(file, 'utf8'))
        released.paths['/api/former'] = { get: {} }
        await writeFile(file, JSON.stringify(released))
      },
    ],
  ])('a release with %s is refused and leaves nothing', async (_, words, why, prepare?: () => Promise<unknown>) => {
    const commit = await git('rev-parse', 'HEAD')
    await prepare?.()
    const before = [await git('status', '--porcelain'), await git('tag')]
    await expect(release(...words)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(why) })
    expect([await git('status', '--porcelain'), await git('tag')]).toEqual(before)
    expect(await git('rev-parse', 'HEAD')).toBe(commit)
    expect(existsSync(join(clone, 'release'))).toBe(false)
    await git('checkout', '--quiet', '.')
  })

  test('a release is committed and tagged with everything in it', async () => {
    const said = await release(version)
    expect(said).toContain('without an image')
    const today = new Date().toISOString().slice(0, 10)

    expect(await git('log', '-1', '--format=%s')).toBe(`release: ${version}.`)
    expect(await git('rev-parse', `v${version}^{commit}`)).toBe(await git('rev-parse', 'HEAD'))
    expect(await git('status', '--porcelain')).toBe('')
    expect(await readFile(join(clone, 'CHANGELOG.md'), 'utf8')).toBe(
      changelog.replace(`## ${version}\n\n`, '').replace('## Unreleased', `## ${version} (${today})`),
    )
    expect(await textOf('CHANGES.md')).toBe(`## ${version}\n\n${changes}\n`)

    const packed = published.map(name => `afterglow-${name}-${version}.tgz`)
    const sources = `afterglow-${version}.tar.gz`
    const documents = ['CHANGES.md', 'asyncapi.json', 'openapi-3.0.json', 'openapi.json', 'sbom.cdx.json']
    const held = [...documents, ...packed, sources, 'SHA256SUMS'].sort()
    expect((await readdir(folder)).sort()).toEqual(held)
    expect((await runIn(folder, 'sha256sum', ['--check', '--strict', 'SHA256SUMS'])).split('\n').sort()).toEqual(
      held.filter(name => name !== 'SHA256SUMS').map(name => `${name}: OK`),
    )
    for (const name of packed) expect(said).toContain(name)

    for (const name of published) {
      const manifest = JSON.parse(await textIn(`afterglow-${name}-${version}.tgz`, 'package/package.json'))
      expect(manifest).toMatchObject({ name: `@afterglow/${name}`, version })
      expect(manifest.dependencies?.['@afterglow/contract']).toBe(name === 'sdk' ? version : undefined)
    }
    const within = (path: string) => textIn(sources, `afterglow-${version}/${path}`)
    expect(await within('CHANGELOG.md')).toContain(`## ${version} (${today})`)
    const manifest = JSON.parse(await within('package.json'))
    expect(manifest.version).toBe(version)
    expect(await within('.commit')).toBe(await git('rev-parse', 'HEAD'))
    const lock = JSON.parse(await within('package-lock.json'))
    expect(lock.version).toBe(version)
    for (const name of manifest.workspaces) {
      const workspace = JSON.parse(await within(`${name}/package.json`))
      const needed = Object.entries({ ...workspace.dependencies, ...workspace.devDependencies })
      const ours = needed.filter(([each]) => each.startsWith('@afterglow/'))
      expect([workspace.version, ...ours.map(([, of]) => of)].filter(of => of !== version)).toEqual([])
      expect(lock.packages[name].version).toBe(version)
    }

    const { metadata, components } = JSON.parse(await textOf('sbom.cdx.json'))
    expect(metadata.component).toMatchObject({ name: 'afterglow', version })
    const listed = new Map(components.map((each: { name: string; version: string }) => [each.name, each]))
    expect(listed.get('fastify')).toMatchObject({
      purl: `pkg:npm/fastify@${lock.packages['node_modules/fastify'].version}`,
      licenses: [{ expression: 'MIT' }],
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    })
    expect([listed.has('vitest'), listed.has('@afterglow/contract')]).toEqual([false, false])
  })

  // A dry run builds everything again, and the image takes minutes.
  const tried =
    'is tried by --dry-run, with its image where buildah is, and leaves nothing but its folder, in the full run'
  test.runIf(full)(tried, { timeout: 1_200_000 }, async () => {
    whenDone(() => void spawnSync('buildah', ['rmi', `afterglow:${version}`]))
    const before = [await git('rev-parse', 'HEAD'), await git('tag')]
    await rm(folder, { recursive: true, force: true })
    const building = await buildingEnv(await mkdtemp(join(clone, '.git/building-')))
    const said = await runIn(clone, process.execPath, ['bin/release.ts', version, '--dry-run'], building)
    expect(said).toContain('Nothing else was changed.')
    expect([await git('rev-parse', 'HEAD'), await git('tag')]).toEqual(before)
    expect(await git('status', '--porcelain')).toBe('')
    await runIn(folder, 'sha256sum', ['--check', '--strict', 'SHA256SUMS'])
    const image = `afterglow-${version}.image.tar`
    expect((await readdir(folder)).includes(image)).toBe(has('buildah'))
    if (!has('buildah')) return
    const [{ RepoTags }] = JSON.parse(await runIn(folder, 'tar', ['xOf', image, 'manifest.json']))
    // podman's name, and Docker's with some versions of buildah.
    expect(RepoTags).toContain(`localhost/afterglow:${version}`)
  })
})
