import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { builtClient, readyClient } from './client.ts'

await readyClient()
const named = readdirSync(builtClient, { recursive: true, encoding: 'utf8' })
const scripts = named
  .filter(name => name.endsWith('.js'))
  .map(name => ({ name, code: readFileSync(join(builtClient, name), 'utf8') }))

test('no module that a browser loads awaits at its top: WebKit returns dependents too early', () => {
  expect(scripts.map(({ name }) => name)).toContain('sw.js')
  expect(scripts.length).toBeGreaterThan(30)
  expect(
    scripts.filter(({ code }) => awaitsAtTop(parseSync('built.js', code).program)).map(({ name }) => name),
  ).toEqual([])
})

test('no style uses a page-wide :has(): each added element would search the page', () => {
  const styles = named.filter(name => name.endsWith('.css'))
  expect(styles.length).toBeGreaterThan(0)
  const asks = /(?:^|[{},])(?::root|html|body)[^{},]*:has\((?!\s*>)/
  expect(asks.test('a{b:c}:root:has([data-bar]){--bar:1px}')).toBe(true)
  expect(styles.filter(name => asks.test(readFileSync(join(builtClient, name), 'utf8')))).toEqual([])
})

test('a top-level await is found, in a loop and behind a comma too, and one within a function is not', () => {
  const awaits = (code: string) => awaitsAtTop(parseSync('some.js', code).program)
  for (const code of [
    'await f()',
    'export let a=(1,await f())',
    'for await(const a of b)c(a)',
    'class A{[await f()](){}}',
  ])
    expect([code, awaits(code)]).toEqual([code, true])
  for (const code of [
    'async()=>await f()',
    'async function f(){for await(const a of b);}',
    'class A{async f(){await 1}}',
  ])
    expect([code, awaits(code)]).toEqual([code, false])
})

/** The module has an await outside of every function. */
const awaitsAtTop = (tree: unknown): boolean => {
  if (typeof tree !== 'object' || tree === null) return false
  if (Array.isArray(tree)) return tree.some(awaitsAtTop)
  const node = tree as { type?: string; await?: boolean }
  if (/Function/.test(node.type ?? '')) return false
  if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) return true
  return Object.values(tree).some(awaitsAtTop)
}
