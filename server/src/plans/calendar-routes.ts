import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { eventFor } from '../events/access.ts'
import { hashOfCode } from '../events/links/link-codes.ts'
import { usableLink } from '../events/links/links.ts'
import type { Database } from '../platform/database/database.ts'
import { networkOf, type RateLimits } from '../platform/http/limits.ts'
import { isRefusal } from '../platform/http/refusals.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Holder, MediaQuery, Signer } from '../platform/media/signed-url.ts'
import { variant } from './calendar-address-routes.ts'
import { type CalendarEvent, calendarFile } from './calendar-file.ts'
import * as store from './calendar-store.ts'

const maySeeStill = async (db: Database, holder: Holder, eventId: number) =>
  (await store.holdsLinks(db, holder)) &&
  eventFor(db, { id: holder.userId }, eventId).then(
    () => true,
    error => {
      if (isRefusal(error)) return false
      throw error
    },
  )

type Opening = {
  server: FastifyInstance
  db: Database
  limits: RateLimits
  perNetwork: number
  signer: Signer
  urls(request: FastifyRequest): Urls
}

/** How often a calendar is read in a minute, by everything that subscribes to it. */
const readsPerMinute = 60

/** Calendars as files that a browser or a calendar app asks for, which send no bearer token. */
export const calendarRoutes = ({ server, db, limits, perNetwork, signer, urls }: Opening) => {
  /** Only requests for what is not there count: someone guessing must not block others behind the same address. */
  const notFound = async (request: FastifyRequest, reply: FastifyReply) => {
    await limits.spend('failed calendars', networkOf(request.ip), perNetwork)
    return reply.code(404).type('text/plain; charset=utf-8').send('Not found!')
  }

  server.get<{ Params: { code: string } }>('/calendar/:code.ics', async (request, reply) => {
    const feed = await store.findFeedByCode(db, hashOfCode(request.params.code))
    if (!feed) return notFound(request, reply)
    await limits.spend('readCalendar', feed.user_id, readsPerMinute)
    await store.noteFeedUsed(db, feed.user_id)
    const { origin } = urls(request)
    const rows = await store.calendarOf(db, feed.user_id)
    return send(
      reply,
      calendarFile(
        rows.map(row => shown(row, eventUrl(origin, row.id))),
        { subscribed: true },
      ),
    )
  })

  server.get<{ Params: { id: string }; Querystring: MediaQuery }>('/calendar/event/:id.ics', async (request, reply) => {
    const id = /^[1-9][0-9]{0,14}$/.test(request.params.id) ? Number(request.params.id) : 0
    const holder = signer.plausible(request.query) ? signer.holderIn(request.query) : undefined
    const event = holder && (await store.findCalendarEvent(db, id))
    if (!event || !signer.verify({ object: id, variant, epoch: event.media_epoch, held: true }, request.query))
      return notFound(request, reply)
    if (!(await maySeeStill(db, holder, id))) return notFound(request, reply)
    return send(reply, calendarFile([shown(event, eventUrl(urls(request).origin, id))], { subscribed: false }))
  })

  // No more than the link's page says.
  server.get<{ Params: { code: string } }>('/j/:code/event.ics', async (request, reply) => {
    const { code } = request.params
    try {
      const link = await usableLink(db, code, true)
      const event = (await store.findCalendarEvent(db, link.event_id)) as store.CalendarRow
      const url = `${urls(request).origin}/j/${code}`
      return send(
        reply,
        calendarFile([{ ...shown(event, url), description: null, location: null }], { subscribed: false }),
      )
    } catch (error) {
      if (!isRefusal(error)) throw error
      return notFound(request, reply)
    }
  })
}

const eventUrl = (origin: string, id: number) => `${origin}/events/${id}`

const shown = (row: store.CalendarRow & { tentative?: boolean }, url: string): CalendarEvent => ({
  id: row.id,
  name: row.name,
  description: row.description,
  location: row.location,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  timezone: row.timezone,
  cancelled: row.status !== 1,
  tentative: row.tentative ?? false,
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  url,
})

const send = (reply: FastifyReply, file: string) =>
  reply
    .headers({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    })
    .send(file)
