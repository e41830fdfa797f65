import { randomUUID } from 'node:crypto'
import { kindOfLink, roleOfLink, showsChat } from '@afterglow/contract/capabilities'
import type { Locale } from '@afterglow/contract/languages'
import * as contract from '@afterglow/contract/links'
import type { Given } from '@afterglow/contract/route'
import { sentence } from '@afterglow/contract/words'
import { offsetAt } from '@afterglow/contract/zones'
import type { z } from 'zod'
import { openGuestAgain, sessionOf } from '../../accounts/guests.ts'
import type { Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import type { Answers } from '../../accounts/present-answers.ts'
import { presentMinimalUser, presentSeenUser } from '../../accounts/present-person.ts'
import type { Registration } from '../../accounts/registration/registration.ts'
import type { BlockedWith } from '../../notifications/notices.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Serve, ServeEither, ServeOpen } from '../../platform/http/serve.ts'
import type { Urls } from '../../platform/http/urls.ts'
import { demandRight, eventFor } from '../access.ts'
import type { EventPart, Presenting } from '../event-parts.ts'
import { hourSeconds, rejoinsPerHour } from '../members/join.ts'
import type { LinkCodes } from './link-codes.ts'
import { linkUrls } from './link-picture-routes.ts'
import * as links from './links.ts'
import * as store from './links-store.ts'
import { viewByLink } from './opened-links.ts'
import * as sentAway from './sent-away.ts'
import { listSentAway, type SentAwayRow } from './sent-away-store.ts'
import { giveShortCode, longCodeOf, withShortCodes } from './short-codes.ts'

type Routes = { serve: Serve; serveOpen: ServeOpen; serveEither: ServeEither }
type Tools = {
  registration: Registration
  answers: Answers
  codes: LinkCodes
  limits: RateLimits
  blockedWith: BlockedWith
  eventParts: readonly EventPart[]
}

/** A name is enough: information about the device may be missing. */
const deviceOf = (input: Given<typeof contract.joinByLink>, language: Locale | undefined) => ({
  language,
  deviceId: input.device_id ?? randomUUID(),
  platform: input.user_device_platform ?? 'web',
  timezone: input.user_timezone ?? 'UTC',
})

export const shortOf = (
  codes: LinkCodes,
  { nonce, short_turn }: Pick<store.LinkRow, 'nonce' | 'short_turn'>,
  { origin }: Urls,
) => {
  const code = short_turn === null ? null : codes.shortCodeOf(nonce, short_turn)
  return { short_code: code, short_url: code && `${origin}/${code}` }
}

const presentPhotographer = ({ photographer }: Pick<store.LinkRow, 'photographer'>) => ({
  link_photographer: photographer,
})

const presentKind = ({ role }: Pick<store.LinkRow, 'role'>) => ({
  link_kind: kindOfLink(role),
  link_shows_chat: showsChat(role),
})

export const linkRoutes = (
  { serve, serveOpen, serveEither }: Routes,
  { registration, answers, codes, limits, blockedWith, eventParts }: Tools,
) => {
  /** How to present these links, in reply to what was asked. */
  const showing = async (db: Db, rows: readonly store.LinkRow[], { urls, extra }: Presenting) => {
    const persons = await personsById(
      db,
      rows.map(row => row.created_by),
    )
    return (row: store.LinkRow): z.output<typeof contract.EventLink> => {
      const code = codes.codeOf(row.nonce)
      return {
        id: row.id,
        event_id: row.event_id,
        link_code: code,
        ...linkUrls(urls, code),
        ...presentKind(row),
        ...presentPhotographer(row),
        link_expires_at: row.expires_at?.toISOString() ?? null,
        link_max_uses: row.uses_max,
        link_uses: row.uses,
        link_pin_required: row.pin_mac !== null,
        link_pin: codes.openPin(row),
        link_status: row.status,
        made_by: presentMinimalUser(persons.get(row.created_by) as Person, urls),
        created_at: row.created_at.toISOString(),
        ...(extra && { extra: shortOf(codes, row, urls) }),
      }
    }
  }

  const showingAway = async (db: Db, rows: readonly SentAwayRow[], urls: Urls) => {
    const persons = await personsById(
      db,
      rows.map(row => row.sent_by),
    )
    return (row: SentAwayRow): z.output<typeof contract.SentAway> => ({
      id: row.id,
      event_id: row.event_id,
      link_id: row.link_id,
      away_since: row.since.toISOString(),
      away_people_count: row.people,
      away_undo_until: row.undo_until.toISOString(),
      away_undone: row.undone,
      sent_by: presentMinimalUser(persons.get(row.sent_by) as Person, urls),
      created_at: row.created_at.toISOString(),
    })
  }

  serve(
    contract.makeLink,
    async ({ viewer, input, urls, extra, once }) => {
      const { event_id: eventId, max_uses: usesMax = null, expires_at: expiresAt = null, pin } = input
      const role = roleOfLink(input.kind ?? 'guest', input.shows_chat ?? false)
      if (role === undefined) return invalid('shows_chat', sentence.selected)
      const photographer = input.photographer ?? false
      if (photographer && role !== 'drop') return invalid('photographer', sentence.selected)
      registration.demandHost(viewer)
      return once(async db => {
        const link = await links.makeLink(db, codes, viewer, { eventId, usesMax, expiresAt, pin, role, photographer })
        link.short_turn = await giveShortCode(db, codes, link)
        return (await showing(db, [link], { urls, extra }))(link)
      })
    },
    {
      // The code is not stored: someone who can read the table of replies must not find it there.
      keep: link => link.id,
      replay: async ({ db, viewer, input, urls, extra }, id: number) => {
        demandRight(await eventFor(db, viewer, input.event_id), 'invite')
        const link = (await store.findLink(db, id)) as store.LinkRow
        return (await showing(db, [link], { urls, extra }))(link)
      },
    },
  )

  serve(contract.listLinks, async ({ db, viewer, input, urls, extra, page }) => {
    const event = demandRight(await eventFor(db, viewer, input.event_id), 'invite')
    const rows = await withShortCodes(db, codes, await store.listLinks(db, event, rangeOf(input)))
    return page(rows, await showing(db, rows, { urls, extra }))
  })

  serve(contract.revokeLink, async ({ db, viewer, input }) => {
    await links.revokeLink(db, viewer, input.link_id)
    return { done: true as const }
  })

  serve(contract.revokeLinks, async ({ db, viewer, input }) => {
    await links.revokeLinks(db, viewer, input.event_id)
    return { done: true as const }
  })

  serve(contract.reopenLink, async ({ db, viewer, input, urls, extra }) => {
    const link = await links.reopenLink(db, viewer, input.link_id)
    return (await showing(db, [link], { urls, extra }))(link)
  })

  serve(contract.sendAwayByLink, async ({ db, viewer, input, urls }) => {
    const away = await sentAway.sendAwayByLink(db, viewer, input.link_id, input.since ?? null)
    return (await showingAway(db, [away], urls))(away)
  })

  serve(contract.listSentAway, async ({ db, viewer, input, urls, page }) => {
    demandRight(await eventFor(db, viewer, input.event_id), 'manage')
    const rows = await listSentAway(db, input.event_id, rangeOf(input))
    return page(rows, await showingAway(db, rows, urls))
  })

  serve(contract.undoSentAway, async ({ db, viewer, input }) => {
    await sentAway.undoSentAway(db, viewer, input.away_id)
    return { done: true as const }
  })

  serveOpen(contract.openLink, async ({ db, input, urls, network }) => {
    const code = await longCodeOf(db, { codes, limits }, input.code, network)
    const link = await links.usableLink(db, code, true, true)
    const event = await store.readOpened(db, link)
    const persons = await personsById(db, [event.host_id])
    return {
      link_code: code,
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
      ...presentPhotographer(link),
      link_pin_required: link.pin_mac !== null,
      link_expires_at: link.expires_at?.toISOString() ?? null,
    }
  })

  serveOpen(contract.viewByLink, async ({ db, input, network }) => {
    const { pin, device_id: deviceId = randomUUID() } = input
    const code = await longCodeOf(db, { codes, limits }, input.code, network)
    await links.demandPin(db, { codes, limits }, { code, pin, network, device: deviceId })
    const { link, session } = await viewByLink(db, code, deviceId)
    return {
      event_id: link.event_id,
      ...presentKind(link),
      token: session.token,
      token_expiration: session.expiresAt.toISOString(),
    }
  })

  serveEither(
    contract.joinByLink,
    async ({ db, input, urls, once, caller, network, languageAsked }) => {
      const { pin, user_first_name: firstName = '', user_last_name: lastName = '' } = input
      if (!caller && firstName === '') invalid('user_first_name', sentence.required)
      let shown: Parameters<typeof links.joinAsGuest>[1]
      try {
        const code = await longCodeOf(db, { codes, limits }, input.code, network)
        const asked = { code, pin, network, device: input.device_id ?? '' }
        const joins = async (tx: Transaction, eventId: number, userId: number) => {
          for (const part of eventParts) await part.join?.(tx, eventId, userId, input)
        }
        shown = { code, joins, ...(await links.demandPin(db, { codes, limits }, asked)) }
      } catch (refused) {
        // Not before asking for the key: a twin of this request may just have used up the last use.
        return once(() => Promise.reject(refused))
      }
      return once(async db => {
        if (!caller) {
          const device = input.device_id
          if (device !== undefined)
            await limits.spend('joinsOfDevice', `${shown.code} ${device}`, rejoinsPerHour, hourSeconds)
          const guest = { firstName, lastName, device: deviceOf(input, languageAsked) }
          return answers.signedIn(db, await links.joinAsGuest(db, shown, guest), urls)
        }
        await links.joinByLink(db, { blockedWith, limits }, caller.viewer, shown)
        return answers.signedIn(db, await sessionOf(db, caller), urls)
      })
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
