import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const docs = join(root, 'docs')

/** Relative paths that a page links to, without anchors. */
const linksOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, link]) => link as string)
    .filter(link => !/^[a-z]+:/.test(link))
    .map(link => resolve(dirname(page), link))

test('the index leads to every page below docs/, and no link is dead', () => {
  const found = new Set([join(docs, 'README.md')])
  for (const page of found)
    if (page.endsWith('.md') && page.startsWith(docs)) for (const link of linksOf(page)) found.add(link)
  expect([...found].filter(path => !existsSync(path))).toEqual([])
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.md'))
  expect(pages.filter(name => !found.has(join(docs, name)))).toEqual([])
})

test('the index lists every decision by subject, once', () => {
  const folder = join(docs, 'decisions')
  const listed = linksOf(join(folder, 'README.md')).map(path => relative(folder, path))
  expect(listed.sort()).toEqual(readdirSync(folder).filter(name => name !== 'README.md'))
})

test('every script that a workflow runs exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const folder = join(root, '.github/workflows')
  const texts = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'))
  expect(texts).toHaveLength(3)
  for (const text of texts) {
    for (const [, script] of text.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toHaveProperty([script as string])
    for (const [, path] of text.matchAll(/(?:^|\s)((?:\.ci|bin)\/\w+(?:\.\w+)?)/g))
      expect(existsSync(join(root, path as string)), path).toBe(true)
  }
})
