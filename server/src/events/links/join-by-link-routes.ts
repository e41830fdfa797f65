import { randomUUID } from 'node:crypto'
import type { Locale } from '@afterglow/contract/languages'
import * as contract from '@afterglow/contract/links/opened-links'
import type { ParsedInput } from '@afterglow/contract/route'
import { sentence } from '@afterglow/contract/words'
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { openGuestAgain, sessionOf } from '../../accounts/guests.ts'
import type { AccountReplies } from '../../accounts/present-replies.ts'
import type { BlockedWith } from '../../notifications/notices.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import type { OptionalViewerContext } from '../../platform/http/handler-context.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { ServeEither } from '../../platform/http/serve.ts'
import type { EventPart } from '../event-parts.ts'
import { hourSeconds, rejoinsPerHour } from '../members/join.ts'
import type { LinkCodes } from './link-codes.ts'
import * as links from './links.ts'
import { longCodeOf } from './short-codes.ts'

type Tools = {
  answers: AccountReplies
  codes: LinkCodes
  limits: RateLimits
  blockedWith: BlockedWith
  eventParts: readonly EventPart[]
}

/** Joining by a link's code, as somebody new or as who one is. */
export const joinByLinkRoutes = (serveEither: ServeEither, tools: Tools) => {
  const { answers, limits, blockedWith } = tools
  const turns = openJoinTurns()

  serveEither(
    contract.joinByLink,
    async asking => {
      const { input, urls, once, caller, languageAsked } = asking
      const { device_id: device, user_first_name: firstName = '', user_last_name: lastName = '' } = input
      if (!caller && firstName === '') invalid('user_first_name', sentence.required)
      const opened = await openToJoin(asking, tools)
      const join = async (db: Db) => {
        if (caller) {
          await links.joinByLink(db, { blockedWith, limits }, caller.viewer, opened)
          return answers.signedIn(db, await sessionOf(db, caller), urls)
        }
        if (device !== undefined)
          await limits.spend('joinsOfDevice', `${opened.code} ${device}`, rejoinsPerHour, hourSeconds)
        const guest = { firstName, lastName, device: deviceOf(input, languageAsked) }
        return answers.signedIn(db, await links.joinAsGuest(db, opened, guest), urls)
      }
      return turns.memo(opened.code)(() => once(join))
    },
    {
      // The token is not stored: a repeat has authenticated itself with its key, and signs the device in again.
      keep: answer => answer.user.id,
      replay: async ({ db, input, urls, caller, languageAsked }, userId: number) => {
        const signedIn = caller
          ? await sessionOf(db, caller)
          : await openGuestAgain(db, userId, deviceOf(input, languageAsked))
        return answers.signedIn(db, signedIn, urls)
      },
    },
  )
}

/**
 * Simultaneous joins by one link wait here, all but one, for the lock of its event. In the database they would hold
 * every connection, and nobody could even look.
 */
const openJoinTurns = () => new LRUCache<string, LimitFunction>({ max: 1000, memoMethod: () => pLimit(2) })

type Joining = OptionalViewerContext<typeof contract.joinByLink>

/** The link that somebody wants to join by, behind its PIN, and what else they said as they came in. */
const openToJoin = async ({ db, input, network }: Joining, { codes, limits, eventParts }: Tools) => {
  const code = await longCodeOf(db, { codes, limits }, input.code, network)
  const { pin, device_id: device = '' } = input
  const { proven } = await links.requirePin(db, { codes, limits }, { code, pin, network, device })
  const joins = async (tx: Transaction, eventId: number, userId: number) => {
    for (const part of eventParts) await part.join?.(tx, eventId, userId, input)
  }
  return { code, proven, joins }
}

/** A name is enough: information about the device may be missing. */
const deviceOf = (input: ParsedInput<typeof contract.joinByLink>, language: Locale | undefined) => ({
  language,
  deviceId: input.device_id ?? randomUUID(),
  platform: input.user_device_platform ?? 'web',
  timezone: input.user_timezone ?? 'UTC',
})
