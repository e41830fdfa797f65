import type { Db } from '../../platform/database/database.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { LinkCodes } from './link-codes.ts'
import * as store from './links-store.ts'
import { shortCodeWords } from './short-code-words.ts'
import { alike, shortCodeIn } from './typed-codes.ts'

/** There are millions of codes, so another one is nearly always free at the first turn. */
const turnsMax = 100

/** Gives a link its short code, unless it has one. Returns which it has; null in the case that never comes. */
export const giveShortCode = async (db: Db, codes: LinkCodes, { id, nonce }: Pick<store.LinkRow, 'id' | 'nonce'>) => {
  for (let turn = 0; turn < turnsMax; turn++) {
    const mac = codes.shortMac(codes.shortCodeOf(nonce, turn))
    const given = await store.giveShortCode(db, id, { turn, mac })
    if (given !== undefined) return given
  }
  return null
}

/** A link of before there were short codes gets one when an organizer looks at it; one that was mailed needs none. */
export const withShortCodes = async (db: Db, codes: LinkCodes, links: readonly store.LinkRow[]) => {
  for (const link of links)
    if (link.short_turn === null && link.status === 'open' && link.uses_max !== 1)
      link.short_turn = await giveShortCode(db, codes, link)
  return links
}

const words = new Set(shortCodeWords.map(alike))

/** True if a link could have this code. Texts that only look like one, such as a scanner's, cost nobody a try. */
export const isShortCode = (given: string) => {
  const short = shortCodeIn(given)
  return short !== undefined && words.has(alike(short).slice(0, -4))
}

const hourSeconds = 60 * 60
const daySeconds = 24 * hourSeconds
/** Wrong codes within an hour: behind one address, with one word, and on the whole server. */
const wrongMax = { ofNetwork: 20, ofWord: 10, ofServer: 60 }
type Budget = readonly [bucket: string, key: string, most: number]
const plenty = 1_000_000

/**
 * The long code of the link that a short one means; any other code as it is. What is wrong counts, and beyond a bound
 * nothing short is answered: a right code neither, except where this link's was typed before. That is decided after the
 * look-up, in the order in which look-ups end: of many at once, no more are answered than one after the other. Refuses
 * noSuchLink.
 */
export const longCodeOf = async (
  db: Db,
  { codes, limits }: { codes: LinkCodes; limits: RateLimits },
  given: string,
  network: string,
): Promise<string> => {
  const short = shortCodeIn(given)
  if (short === undefined) return given
  const link = await store.findLinkByShortCode(db, codes.shortMac(short))
  // In this order: an address that has used up its own takes nothing more from everybody's.
  const budgets: readonly Budget[] = [
    ['wrongShortCodes', network, wrongMax.ofNetwork],
    ['wrongShortCodesOfWord', alike(short).slice(0, -4), wrongMax.ofWord],
    ['wrongShortCodesOfServer', 'all', wrongMax.ofServer],
  ]
  if (!link) {
    for (const [bucket, key, most] of budgets) await limits.spend(bucket, key, most, hourSeconds)
    return refuse('noSuchLink')
  }
  const from = `${link.id} ${network}`
  if (!(await limits.isTouched('rightShortCodes', from, plenty, daySeconds)))
    for (const [bucket, key, most] of budgets) await limits.demandLeft(bucket, key, most, hourSeconds)
  await limits.spend('rightShortCodes', from, plenty, daySeconds)
  return codes.codeOf(link.nonce)
}
