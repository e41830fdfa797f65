import { eventStatus } from '@afterglow/contract/events/event'
import type { Locale } from '@afterglow/contract/languages'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { eventFor, placeShown } from '../events/access.ts'
import { hashOfCode } from '../events/links/link-codes.ts'
import { usableLink } from '../events/links/links.ts'
import type { Database } from '../platform/database/database.ts'
import { openQueue } from '../platform/database/queue.ts'
import { languageOf } from '../platform/http/language.ts'
import { networkOf, type RateLimits } from '../platform/http/limits.ts'
import { isRefusal } from '../platform/http/refusals.ts'
import type { Urls } from '../platform/http/urls.ts'
import { dispositionOf, goodEverywhere } from '../platform/media/file-name.ts'
import { namesTag } from '../platform/media/serving/range.ts'
import type { Holder, MediaQuery, Signer } from '../platform/media/signed-url.ts'
import { say } from '../words/words.ts'
import { variant } from './calendar-address-routes.ts'
import { type CalendarEvent, calendarFile } from './calendar-file.ts'
import * as store from './calendar-store.ts'

/** The event as the holder of a link to its file sees it; undefined if they may not any more. */
const seenStill = async (db: Database, holder: Holder, eventId: number) =>
  (await store.holdsLinks(db, holder))
    ? eventFor(db, { id: holder.userId }, eventId).catch(error => {
        if (isRefusal(error)) return undefined
        throw error
      })
    : undefined

type CalendarOptions = {
  server: FastifyInstance
  db: Database
  limits: RateLimits
  perNetwork: number
  signer: Signer
  urls(request: FastifyRequest): Urls
}

/** How often a calendar is read in a minute, by everything that subscribes to it. */
const readsPerMinute = 60
/** How many a network has built in a minute; what has not changed is not built. */
export const buildsPerMinute = 120
/** How often a network asks for an event's file in a minute: a venue at which everybody takes the event home. */
export const filesPerMinute = 600
const keptBytesMax = 8 * 1024 * 1024

/** Calendars as files that a browser or a calendar app asks for, which send no bearer token. */
export const calendarRoutes = ({ server, db, limits, perNetwork, signer, urls }: CalendarOptions) => {
  /** Only requests for what is not there count: someone guessing must not block others behind the same address. */
  const notFound = async (request: FastifyRequest, reply: FastifyReply) => {
    await limits.spend('failed calendars', networkOf(request.ip), perNetwork)
    return reply.code(404).type('text/plain; charset=utf-8').send('Not found!')
  }
  const queue = openQueue<string>()
  const kept = new LRUCache<string, string>({
    maxSize: keptBytesMax,
    sizeCalculation: file => Math.max(1, file.length),
  })

  server.get<{ Params: { code: string } }>('/calendar/:code.ics', async (request, reply) => {
    const feed = await store.findFeedByCode(db, hashOfCode(request.params.code))
    if (!feed) return notFound(request, reply)
    await limits.spend('readCalendar', feed.user_id, readsPerMinute)
    await store.noteFeedUsed(db, feed.user_id)
    const { origin } = urls(request)
    const { shown_tag, changed_at } = await store.noteShown(db, feed.user_id)
    return send(request, reply, { tag: shown_tag, changedAt: changed_at }, async language => {
      const key = [feed.user_id, shown_tag, origin, language].join(' ')
      const network = networkOf(request.ip)
      // A network has one built at a time, of which nobody else waits for more than a piece.
      return queue(network, async () => {
        const known = kept.get(key)
        if (known !== undefined) return known
        await limits.spend('built calendars', network, buildsPerMinute)
        const rows = await store.calendarOf(db, feed.user_id)
        const events = rows.map(row => shown(row, eventUrl(origin, row.id), language))
        const file = await calendarFile({ events, subscribed: true })
        kept.set(key, file)
        return file
      })
    })
  })

  const sendEvent = async (request: FastifyRequest, reply: FastifyReply, row: store.CalendarRow, url: string) => {
    await limits.spend('event calendars', networkOf(request.ip), filesPerMinute)
    const tag = `${row.id}-${row.revision}-${row.updated_at.getTime()}`
    reply.header('content-disposition', dispositionOf('inline', `${goodEverywhere(row.name) || 'event'}.ics`))
    return send(request, reply, { tag, changedAt: row.updated_at }, language =>
      calendarFile({ events: [shown(row, url, language)], subscribed: false }),
    )
  }

  server.get<{ Params: { id: string }; Querystring: MediaQuery }>('/calendar/event/:id.ics', async (request, reply) => {
    const id = /^[1-9][0-9]{0,14}$/.test(request.params.id) ? Number(request.params.id) : 0
    const holder = signer.plausible(request.query) ? signer.holderIn(request.query) : undefined
    const event = holder && (await store.findCalendarEvent(db, id))
    if (!event || !signer.verify({ object: id, variant, epoch: event.media_epoch, held: true }, request.query))
      return notFound(request, reply)
    const seen = await seenStill(db, holder, id)
    if (!seen) return notFound(request, reply)
    return sendEvent(request, reply, { ...event, location: placeShown(seen) }, eventUrl(urls(request).origin, id))
  })

  // No more than the link's page says.
  server.get<{ Params: { code: string } }>('/j/:code/event.ics', async (request, reply) => {
    const { code } = request.params
    try {
      const link = await usableLink(db, code, true)
      const event = (await store.findCalendarEvent(db, link.event_id)) as store.CalendarRow
      const url = `${urls(request).origin}/j/${code}`
      return sendEvent(request, reply, { ...event, location: event.location_hidden ? null : event.location }, url)
    } catch (error) {
      if (!isRefusal(error)) throw error
      return notFound(request, reply)
    }
  })
}

const eventUrl = (origin: string, id: number) => `${origin}/events/${id}`

const shown = (row: store.CalendarRow & { tentative?: boolean }, url: string, language: Locale): CalendarEvent => {
  const cancelled = row.status !== eventStatus.planned
  return {
    id: row.id,
    // Outlook shows what is cancelled as if it took place.
    name: cancelled ? say(language, 'calendar.cancelled', { event: row.name }, name => name) : row.name,
    description: row.description,
    location: row.location,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    timezone: row.timezone,
    cancelled,
    tentative: row.tentative ?? false,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    url,
  }
}

type Version = { tag: string; changedAt: Date }

/** The file as `build` makes it, unless the calendar app has this version of it. */
const send = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, changedAt }: Version,
  build: (language: Locale) => Promise<string>,
) => {
  const language = languageOf(request.headers['accept-language'])
  const etag = `"${tag}-${language}"`
  // A date names a second: within one, the file may change again.
  const dated = changedAt.getTime() < Date.now() - 1000
  const headers = {
    etag,
    vary: 'accept-language',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    ...(dated && { 'last-modified': changedAt.toUTCString() }),
  }
  const { 'if-none-match': tags, 'if-modified-since': since } = request.headers
  const isSince = dated && Math.floor(changedAt.getTime() / 1000) * 1000 <= Date.parse(since ?? '')
  if (tags === undefined ? isSince : namesTag(tags, etag)) return reply.headers(headers).code(304).send()
  const file = await build(language)
  return reply.headers(headers).type('text/calendar; charset=utf-8').send(file)
}
