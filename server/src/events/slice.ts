import { strangersInvitedPerDay } from '@afterglow/contract/limits'
import { limited } from '../platform/jobs/jobs.ts'
import { merged, type Needs, type Slice } from '../slice.ts'
import { eventFor } from './access.ts'
import { eraseAddedPersons, eraseTraces, leaveEveryEvent, withdrawAnnouncements } from './account-deletion.ts'
import { announcementRoutes } from './announcements/announcement-routes.ts'
import { remind } from './announcements/reminders.ts'
import { dueReminder } from './announcements/reminders-store.ts'
import { auditRoutes } from './audit/audit-routes.ts'
import { eventShowing } from './channel-payloads.ts'
import { eraseDueEvents } from './deletion/deletion.ts'
import { eraseEvent } from './deletion/deletion-store.ts'
import { savingRoutes } from './event-form-routes.ts'
import { eventExport } from './export.ts'
import { endLinksTogether } from './links/ended-links.ts'
import { joinByLinkRoutes } from './links/join-by-link-routes.ts'
import { openLinkCodes } from './links/link-codes.ts'
import { linkPictureRoutes } from './links/link-picture-routes.ts'
import { linkRoutes } from './links/link-routes.ts'
import { invitationBy } from './links/links.ts'
import { openedLinkRoutes } from './links/opened-link-routes.ts'
import { endExpired } from './links/opened-links.ts'
import { screenRoutes } from './links/screen-routes.ts'
import { sentAwayRoutes } from './links/sent-away-routes.ts'
import { invitationRoutes } from './members/invitation-routes.ts'
import { joinRequestRoutes } from './members/join-request-routes.ts'
import { memberRoutes } from './members/member-routes.ts'
import { dueAdders } from './members/members-store.ts'
import { openMembership } from './members/membership-cache.ts'
import { levelRoutes } from './notification-level-routes.ts'
import { eventNoticing, holdEvents } from './notification-templates.ts'
import { cardOf, coverRoutes } from './pictures/covers.ts'
import { openPreviews } from './pictures/previews.ts'
import { eventRecounts } from './recounts-store.ts'
import { notifyLetIn } from './returns/return-requests.ts'
import { returnRoutes } from './returns/return-routes.ts'
import { eventRoutes } from './routes.ts'
import { waitingPart } from './waiting/waiting.ts'
import { waitingRoutes } from './waiting/waiting-routes.ts'
import { eventsWaiting } from './waiting/waiting-store.ts'

const partsOf = (slices: readonly Slice[]) => [
  ...slices.flatMap(({ eventPart }) => eventPart ?? []),
  waitingPart(merged(slices, 'waiting')),
]

export const events: Slice = {
  name: 'events',
  tables: {
    announcement_reads: { kept: 'one for a person and an announcement' },
    announcements: { kept: 'what organizers said, a few a day and event' },
    audit_entries: { kept: 'is only ever added to, and tells what organizers did for as long as the event is there' },
    event_links: { kept: 'what organizers made' },
    events: { kept: 'what people made' },
    guest_lines: { kept: 'one a guest' },
    guests: { kept: 'one for a person and an event' },
    link_short_codes: { kept: 'one a link' },
    links_sent_away: { kept: 'a few an event' },
    invitations: { kept: 'one for a person and an event' },
    join_requests: { kept: 'one for a person and an event' },
    marks_away: { since: 'sent_at', lives: '1 day' },
    return_requests: { since: 'expires_at', lives: '0' },
    told_moments: { kept: 'a few an event' },
  },
  opens: {
    'event on offer': ['leaving', 'removal', 'sending away', 'a block'],
    'invitation to another event': ['a block'],
    link: ['the end of its link', 'the expiry of its link'],
    'session that adds photos': ['the end of its link', 'the expiry of its link'],
    'session that looks': ['the end of its link', 'the expiry of its link'],
    'session of a screen': ['the end of its link', 'the expiry of its link'],
  },
  exports: eventExport,
  deletion: {
    content: withdrawAnnouncements,
    async traces(db, userId) {
      await leaveEveryEvent(db, userId)
      await eraseTraces(db, userId)
    },
  },
  erasesEvent: eraseEvent,
  recounts: eventRecounts,
  channel: slices => eventShowing(partsOf(slices)),
  notifications: eventNoticing,
  waiting: eventsWaiting,
  reportable: { event: async (db, viewer, id) => ({ eventId: (await eventFor(db, viewer, id)).id, userId: null }) },
  schedule: [
    { task: 'remind', when: dueReminder },
    { task: 'endExpiredLinks', when: dueAdders },
    { task: 'eraseEvents', every: '1 hour' },
  ],
  gives(platform) {
    const codes = openLinkCodes(platform.secrets.media.key)
    return {
      membership: openMembership(),
      holdEvents,
      invitationBy: async linkId => {
        const found = await invitationBy(platform.background, codes, linkId)
        return found && { ...found, card: language => cardOf(found.event, found.path, language) }
      },
      previewOf: openPreviews({ ...platform, codes }),
    }
  },
  open(
    parts: Needs<
      | 'acquaintance'
      | 'announcementsInChat'
      | 'answers'
      | 'background'
      | 'blockedWith'
      | 'db'
      | 'limits'
      | 'media'
      | 'numbers'
      | 'perNetwork'
      | 'photosSeenAmong'
      | 'pictures'
      | 'registration'
      | 'secrets'
      | 'serve'
      | 'serveEither'
      | 'serveOpen'
      | 'server'
      | 'slices'
      | 'storage'
      | 'urls'
    >,
  ) {
    const codes = openLinkCodes(parts.secrets.media.key)
    const strangersPerDay = strangersInvitedPerDay * parts.numbers.rateFactor
    const eventParts = partsOf(parts.slices)
    eventRoutes(parts.serve, eventParts)
    savingRoutes(parts.serve, { ...parts, codes, strangersPerDay, eventParts })
    levelRoutes(parts.serve)
    joinRequestRoutes(parts.serve, parts.limits)
    invitationRoutes(parts.serve, { ...parts, strangersPerDay, codes, eventParts })
    memberRoutes(parts.serve)
    waitingRoutes(parts.serve, merged(parts.slices, 'waiting'))
    auditRoutes(parts.serve, parts.acquaintance)
    announcementRoutes(parts.serve, parts)
    linkRoutes(parts.serve, { ...parts, codes })
    openedLinkRoutes(parts.serveOpen, { ...parts, codes, eventParts })
    joinByLinkRoutes(parts.serveEither, { ...parts, codes, eventParts })
    sentAwayRoutes(parts.serve)
    screenRoutes(parts.serve)
    returnRoutes(parts, { ...parts, codes })
    coverRoutes(parts.server, parts)
    linkPictureRoutes(parts.server, parts)
    const erasures = parts.slices.flatMap(({ erasesEvent }) => erasesEvent ?? [])
    return {
      tasks: {
        endLinks: endLinksTogether(parts.background),
        endExpiredLinks: endExpired(parts.background),
        remind: remind(parts.background),
        tellLetIn: (told: Parameters<typeof notifyLetIn>[1]) => notifyLetIn(parts.background, told),
        eraseEvents: limited({ minutes: 60 }, async () => {
          await eraseDueEvents(parts.background, erasures)
          await eraseAddedPersons(parts.background)
        }),
      },
    }
  },
}
