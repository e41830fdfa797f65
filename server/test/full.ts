import { appendFileSync } from 'node:fs'

/**
 * `npm run test:full` runs nightly and before a release: tests with the tag `slow` and `*.full.test.ts` run, and cases
 * that `npm test` tries at a quarter run whole. Naming files runs all of their tests.
 */
export const full = process.env.FULL === '1'

declare module 'vitest' {
  interface TestTags {
    tags: 'slow'
  }
}

type Choice<Case> = {
  kindOf?: (one: Case) => unknown
  /** The first of the four to start with: a different one if the same cases are tried again in another way. */
  from?: 0 | 1 | 2 | 3
}

/** Every fourth of slow cases, and at least one of each kind; all of them in the full run. */
export function quarterOf<Case>(
  what: string,
  cases: readonly Case[],
  { kindOf = () => 0, from = 0 }: Choice<Case> = {},
): Case[] {
  const kinds = Map.groupBy(cases, kindOf)
  const chosen = cases.filter(one => {
    const kind = kinds.get(kindOf(one)) ?? []
    return full || kind.indexOf(one) % 4 === Math.min(from, kind.length - 1)
  })
  tell(what, chosen.length, cases.length)
  return chosen
}

/** A quarter of the repetitions of something slow. */
export function quarter(what: string, times: number): number {
  const chosen = full ? times : Math.ceil(times / 4)
  tell(what, chosen, times)
  return chosen
}

/** Reports each omission: `npm test` repeats it at the end. */
function tell(what: string, here: number, of: number): void {
  if (here === of) return
  const said = `${what}: ${here} of ${of}`
  if (process.env.REDUCED) appendFileSync(process.env.REDUCED, `${said}\n`)
  else console.info(said)
}
