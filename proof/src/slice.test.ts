import { beforeAll, expect, test } from 'vitest'
import { parts } from './parts.ts'
import { prove } from './prove.ts'
import { buildWebClient } from './service.ts'
import { counterexamples } from './table.ts'

const root = new URL('../../', import.meta.url).pathname.replace(/\/$/, '')
const seed = Math.floor(Math.random() * 2 ** 32)

beforeAll(() => buildWebClient(root), 300_000)

for (const part of parts.filter(({ inTests }) => inTests))
  test(`${part.promise}, ${part.slice} ${part.of}: every invariant holds`, { timeout: 900_000 }, async ({ skip }) => {
    const proved = await prove(part, { seed, count: part.slice, root, signal: AbortSignal.timeout(600_000) })
    // In CI what cannot run fails: a part that is left out proves nothing.
    if (proved.left && !process.env.CI) skip(proved.left)
    expect([proved.left, ...counterexamples(proved)]).toEqual([undefined])
    expect(proved.report.faults).toBeGreaterThan(part.slice / 2)
  })
