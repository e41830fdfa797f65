import { randomUUID } from 'node:crypto'
import type { Locale } from '@afterglow/contract/languages'
import * as contract from '@afterglow/contract/links/opened-links'
import type { Given } from '@afterglow/contract/route'
import { sentence } from '@afterglow/contract/words'
import { offsetAt } from '@afterglow/contract/zones'
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { openGuestAgain, sessionOf } from '../../accounts/guests.ts'
import type { Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import type { Answers } from '../../accounts/present-answers.ts'
import { presentSeenUser } from '../../accounts/present-person.ts'
import type { BlockedWith } from '../../notifications/notices.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import type { AskingEither } from '../../platform/http/asking.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { ServeEither, ServeOpen } from '../../platform/http/serve.ts'
import type { Urls } from '../../platform/http/urls.ts'
import type { EventPart } from '../event-parts.ts'
import { hourSeconds, rejoinsPerHour } from '../members/join.ts'
import type { LinkCodes } from './link-codes.ts'
import * as links from './links.ts'
import * as store from './links-store.ts'
import { viewByLink } from './opened-links.ts'
import { presentKind } from './present-link.ts'
import { longCodeOf } from './short-codes.ts'

type Routes = { serveOpen: ServeOpen; serveEither: ServeEither }
type Tools = {
  answers: Answers
  codes: LinkCodes
  limits: RateLimits
  blockedWith: BlockedWith
  eventParts: readonly EventPart[]
}

/** What somebody with a link's code does with it: looks at it, looks by it, joins by it. */
export const openedLinkRoutes = ({ serveOpen, serveEither }: Routes, tools: Tools) => {
  const { answers, limits, blockedWith } = tools
  const turns = openJoinTurns()

  serveOpen(contract.openLink, async ({ db, input, urls, network }) => {
    const code = await longCodeOf(db, tools, input.code, network)
    const link = await links.usableLink(db, code, true, true)
    return { link_code: code, ...(await showOpened(db, link, urls)) }
  })

  serveOpen(contract.viewByLink, async ({ db, input, network }) => {
    const { pin, device_id: deviceId = randomUUID() } = input
    const code = await longCodeOf(db, tools, input.code, network)
    await links.demandPin(db, tools, { code, pin, network, device: deviceId })
    const { link, session } = await viewByLink(db, limits, { code, deviceId, network })
    return {
      event_id: link.event_id,
      ...presentKind(link),
      token: session.token,
      token_expiration: session.expiresAt.toISOString(),
    }
  })

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
 * Those who join by one link at the same moment wait here for the lock of its event, all but one of them: there they
 * would hold every connection to the database, and nobody could even look.
 */
const openJoinTurns = () => new LRUCache<string, LimitFunction>({ max: 1000, memoMethod: () => pLimit(2) })

const showOpened = async (db: Db, link: store.LinkRow, urls: Urls) => {
  const event = await store.readOpened(db, link)
  const persons = await personsById(db, [event.host_id])
  return {
    event_id: event.id,
    event_name: event.name,
    event_starts_at: event.starts_at.toISOString(),
    event_ends_at: event.ends_at?.toISOString() ?? null,
    event_timezone: event.timezone,
    event_timezone_offset: offsetAt(event.timezone, event.starts_at),
    event_avatar_url: event.avatar_media_id
      ? urls.media(event.avatar_media_id, 'display', 0, event.avatar_ending)
      : urls.initials(event.name, event.id),
    host: presentSeenUser(persons.get(event.host_id) as Person, urls),
    ...presentKind(link),
    link_photographer: link.photographer,
    link_pin_required: link.pin_mac !== null,
    link_expires_at: link.expires_at?.toISOString() ?? null,
  }
}

type Joining = AskingEither<typeof contract.joinByLink>

/** The link that somebody wants to join by, behind its PIN, and what else they said as they came in. */
const openToJoin = async ({ db, input, network }: Joining, { codes, limits, eventParts }: Tools) => {
  const code = await longCodeOf(db, { codes, limits }, input.code, network)
  const { pin, device_id: device = '' } = input
  const { proven } = await links.demandPin(db, { codes, limits }, { code, pin, network, device })
  const joins = async (tx: Transaction, eventId: number, userId: number) => {
    for (const part of eventParts) await part.join?.(tx, eventId, userId, input)
  }
  return { code, proven, joins }
}

/** A name is enough: information about the device may be missing. */
const deviceOf = (input: Given<typeof contract.joinByLink>, language: Locale | undefined) => ({
  language,
  deviceId: input.device_id ?? randomUUID(),
  platform: input.user_device_platform ?? 'web',
  timezone: input.user_timezone ?? 'UTC',
})
