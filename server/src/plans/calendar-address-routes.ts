import * as contract from '@afterglow/contract/plans'
import { requireProof } from '../accounts/proofs.ts'
import { eventFor } from '../events/access.ts'
import { hashOfCode, type LinkCodes } from '../events/links/link-codes.ts'
import { transact } from '../platform/database/database.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { Urls } from '../platform/http/urls.ts'
import * as store from './calendar-store.ts'

/** The signed subject of an event's file. */
export const variant = 'calendar file'

/** The address of an event's file: signed like its pictures, for who asked, as long as they may see the event. */
const calendarUrl = (urls: Urls, eventId: number, epoch: number) =>
  `${urls.origin}/calendar/event/${eventId}.ics?${urls.ofEvent(eventId, variant, epoch).split('?')[1]}`

/** Where the calendars are that `calendarRoutes` serves: of an event, and of everything that somebody goes to. */
export const calendarAddressRoutes = (serve: Serve, codes: LinkCodes) => {
  const present = (feed: store.Feed | undefined, { origin }: Urls, { shown }: { shown: boolean }) => ({
    calendar_feed_url: feed && shown ? `${origin}/calendar/${codes.codeOf(feed.nonce)}.ics` : null,
    last_used_at: feed?.last_used_at?.toISOString() ?? null,
    created_at: feed?.created_at.toISOString() ?? null,
  })

  serve(contract.linkCalendar, async ({ db, viewer, input, urls }) => {
    const event = await eventFor(db, viewer, input.event_id)
    return { event_calendar_url: calendarUrl(urls, event.id, event.media_epoch) }
  })

  serve(contract.readCalendarFeed, async ({ db, viewer, input, urls }) => {
    if (input.show) await requireProof(db, viewer)
    return present(await store.feedOf(db, viewer.id), urls, { shown: input.show ?? false })
  })

  serve(
    contract.makeCalendarFeed,
    ({ viewer, urls, once }) =>
      once(db =>
        transact(db, async tx => {
          await requireProof(tx, viewer)
          const nonce = codes.newNonce()
          const codeHash = hashOfCode(codes.codeOf(nonce))
          return present(await store.saveFeed(tx, viewer.id, { nonce, codeHash }), urls, { shown: true })
        }),
      ),
    // The code is not stored: someone who can read the table of replies must not find it there.
    {
      keep: () => true,
      replay: async ({ db, viewer, urls }) => present(await store.feedOf(db, viewer.id), urls, { shown: true }),
    },
  )

  serve(contract.endCalendarFeed, async ({ db, viewer }) => {
    await store.deleteFeed(db, viewer.id)
    return { done: true as const }
  })
}
