import { beforeAll, expect, test } from 'vitest'
import { quarter } from '../../server/test/full.ts'
import { buildWebClient } from './instance/service.ts'
import { isFault } from './missing-tool.ts'
import type { Part } from './part.ts'
import { prove } from './prove.ts'
import { counterexamples } from './table.ts'

const root = new URL('../../', import.meta.url).pathname.replace(/\/$/, '')

/** Runs each part as a test with a new seed, which a failure reports. */
export const proveInTests = (...parts: Part[]): void => {
  beforeAll(() => buildWebClient(root), 300_000)
  for (const part of parts) {
    const count = quarter(`the proof, ${part.name}`, part.slice)
    test(`${part.promise}, ${count} ${part.of}: every invariant holds`, { timeout: 900_000 }, async ({ skip }) => {
      const seed = Math.floor(Math.random() * 2 ** 32)
      const proved = await prove(part, { seed, count, root, signal: AbortSignal.timeout(600_000) })
      if (proved.left && !isFault(proved.left)) skip(proved.left.words)
      const faults = [...(proved.left ? [proved.left.words] : []), ...counterexamples(proved)]
      // Every reporter prints an error's message in full.
      if (faults.length > 0) throw new Error(faults.join('\n'))
      expect(proved.report.faults).toBeGreaterThan(count / 2)
    })
  }
}
