import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../test/new-folder.ts'
import { versionIn } from './version.ts'

const folder = newFolder('version')
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=Olivia', '-c', 'user.email=olivia@example.com', ...words], {
    cwd: join(folder, 'clone'),
    encoding: 'utf8',
  })

test('a clone and its archive tell one version with their commit, and other trees the version alone', () => {
  for (const tree of ['clone', 'tree']) {
    mkdirSync(join(folder, tree))
    writeFileSync(join(folder, tree, 'package.json'), '{"version":"1.2.3"}')
  }
  writeFileSync(join(folder, 'clone/.commit'), '$Format:%H$\n')
  writeFileSync(join(folder, 'clone/.gitattributes'), '.commit export-subst\n')
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--no-gpg-sign', '--message', 'All of it.')
  git('archive', '--prefix=archive/', '--output=../archive.tar', 'HEAD')
  execFileSync('tar', ['-xf', 'archive.tar'], { cwd: folder })

  const told = `1.2.3+${git('rev-parse', 'HEAD').slice(0, 10)}`
  expect(['clone', 'archive', 'tree'].map(tree => versionIn(join(folder, tree)))).toEqual([told, told, '1.2.3'])
})
