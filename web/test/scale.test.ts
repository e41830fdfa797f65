import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/* One scale of type, space and radius: a class beside it is a size that nothing else has. */

const folder = join(import.meta.dirname, '../src')
/** A wall is seen from ten metres, and a paper has its own measure: theirs follow the screen and the page. */
const own = /^(?:wall|events\/links\/(?:paper-layouts|type-sizes))/
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  name => name.endsWith('.tsx') && !own.test(name),
)

const spaces = /^(?:0|px|1|2|3|4|6|8|12|14|16|20|24)$/
const rules = [
  [/(?<=[\s"'`:])(?:gap|p)[xytbse]?(?:-[xy])?-([\d.]+)(?=[\s"'`])/g, spaces],
  [/(?<=[\s"'`:])text-(xs|sm|base|lg|xl|\dxl)(?=[\s"'`])/g, /^(?:xs|sm|base|xl|2xl|3xl|4xl)$/],
  [
    /(?<=[\s"'`:])rounded(?:-[bts])?-(sm|md|lg|xl|2xl|3xl|full|none|bubble)(?=[\s"'`])/g,
    /^(?:xl|2xl|full|none|bubble)$/,
  ],
] as const

test('only the sizes of the scale occur', () => {
  const found = files.flatMap(name => {
    const source = readFileSync(join(folder, name), 'utf8')
    return rules.flatMap(([kind, allowed]) =>
      [...source.matchAll(kind)].filter(([, size = '']) => !allowed.test(size)).map(([text]) => `${name}: ${text}`),
    )
  })
  expect(found).toEqual([])
})
