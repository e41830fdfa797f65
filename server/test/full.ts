import { appendFileSync } from 'node:fs'

/**
 * `npm run test:full`, nightly and before a release: what is slow runs whole, and `*.full.test.ts` at all. In `npm test`
 * it runs at about a quarter.
 */
export const full = process.env.FULL === '1'

/** Every fourth of the cases of something slow, and of each kind the first at least; all of them in the full run. */
export function quarterOf<Case>(
  what: string,
  cases: readonly Case[],
  kindOf: (one: Case) => unknown = () => 0,
): Case[] {
  const seen = new Map<unknown, number>()
  const chosen = cases.filter(one => {
    const kind = kindOf(one)
    const before = seen.get(kind) ?? 0
    seen.set(kind, before + 1)
    return full || before % 4 === 0
  })
  tell(what, chosen.length, cases.length)
  return chosen
}

/** A quarter of how often something slow is tried. */
export function quarter(what: string, times: number): number {
  const chosen = full ? times : Math.ceil(times / 4)
  tell(what, chosen, times)
  return chosen
}

/** Nothing is left out in silence: `npm test` says it once more in the end. */
function tell(what: string, here: number, of: number): void {
  if (here === of) return
  const said = `${what}: ${here} of ${of}`
  if (process.env.REDUCED) appendFileSync(process.env.REDUCED, `${said}\n`)
  else console.info(said)
}
