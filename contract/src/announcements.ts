import { z } from 'zod'
import { withoutAddress } from './accounts/account-fields.ts'
import { proveFirst } from './accounts/passwords.ts'
import { MinimalUser } from './accounts/user.ts'
import { announcementLengthMax, announcementPhotosMax } from './limits.ts'
import type { RefusalPage } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import { Count, Done, Id, IdNumber, linesText, maybe, Page, Paging, sentence, shape, Timestamp } from './words.ts'

/** A message from an organizer to everyone in an event. */
export const Announcement = shape('Announcement', {
  id: IdNumber,
  event_id: IdNumber,
  announcement_text: z.string(),
  announcement_photo_ids: z
    .array(IdNumber)
    .describe('Photos of the event that it shows; who may not see one of them gets nothing for its ID.'),
  announced_by: MinimalUser,
  announcement_seen: z.boolean().describe('Whether the viewer has read the announcement or wrote it.'),
  announcement_seens: z
    .array(MinimalUser)
    .nullable()
    .describe('Who has read it, most recent first, at most 100; null for guests.'),
  announcement_seens_count: Count.nullable().describe('How many people have read it; null for guests.'),
  created_at: Timestamp,
  updated_at: Timestamp,
})

const noSuchEvent = notFound('Event not found!')
const noSuchAnnouncement = notFound('Announcement not found!')
const notOrganizer = says('The user is not an organizer of the event')
const notInEvent = says('The user is neither a guest nor an organizer of the event')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  noSuchAnnouncement: {
    cause: 'The announcement does not exist, was withdrawn, or belongs to an event that the caller is not in.',
    client: 'Reload the announcements of the event.',
  },
  tooManyAnnouncements: {
    cause: 'The event has had five announcements within 24 hours. They are limited because they ring even when muted.',
    client: 'Offer to post it in the chat instead.',
  },
} satisfies Record<string, RefusalPage>

export const makeAnnouncement = route('makeAnnouncement', 'POST api/event/announcement', {
  words: true,
  summary:
    'Sends an announcement to everyone in an event. Organizers only. It rings once, even for people who have muted the event or are in quiet hours. A second announcement within a minute is merged into the first and does not ring again for people who have not read the first. At most five within 24 hours.',
  perMinute: 20,
  idempotent: true,
  input: z.object({
    event_id: Id,
    /** Phones must not turn any part of it into a link. */
    announcement_text: withoutAddress(linesText(announcementLengthMax)),
    event_photo_ids: maybe(
      z.array(Id, sentence.array).max(announcementPhotosMax, sentence.countAtMost(announcementPhotosMax)),
    ).describe('Photos of the event that it shows, at most three.'),
  }),
  reply: Announcement,
  refusals: {
    noSuchEvent,
    notOrganizer,
    noSuchAnnouncement,
    tooManyAnnouncements: says('This event has had enough announcements for today'),
  },
})

export const listAnnouncements = route('listAnnouncements', 'GET api/event/announcement/list/{event_id}', {
  summary: 'Lists the announcements of an event, newest first.',
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(Announcement),
  refusals: { noSuchEvent, notInEvent },
})

export const seeAnnouncement = route('seeAnnouncement', 'PUT api/event/announcement/seen/{announcement_id}', {
  summary: 'Marks an announcement as read on all of the viewer’s devices.',
  input: z.object({ announcement_id: Id }),
  reply: Done,
  refusals: { noSuchAnnouncement },
})

export const withdrawAnnouncement = route('withdrawAnnouncement', 'DELETE api/event/announcement/{announcement_id}', {
  summary: 'Withdraws an announcement along with its notifications. Organizers only.',
  input: z.object({ announcement_id: Id }),
  reply: Done,
  refusals: { proveFirst, noSuchAnnouncement, notOrganizer },
  takes: { back: null, proof: 'ofOthers', tells: 'channel', audits: 'announcement.withdrawn' },
})
