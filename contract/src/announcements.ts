import { z } from 'zod'
import { MinimalUser, pageAddress } from './accounts.ts'
import { announcementLengthMax } from './limits.ts'
import { notFound, route, says } from './route.ts'
import { Count, Done, Id, IdNumber, Page, Paging, sentence, shape, Timestamp, text } from './words.ts'

/** What an organizer tells everybody in an event. */
export const Announcement = shape('Announcement', {
  id: IdNumber,
  event_id: IdNumber,
  announcement_text: z.string(),
  announced_by: MinimalUser,
  /** Whether the viewer has read it, or wrote it. */
  announcement_seen: z.boolean(),
  /** For organizers who has read it, at most a hundred, the latest first, and how many that are; nothing for guests. */
  announcement_seens: z.array(MinimalUser).nullable(),
  announcement_seens_count: Count.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

const noSuchEvent = notFound('Event not found!')
const noSuchAnnouncement = notFound('Announcement not found!')
const notOrganizer = says('The user is not an organizer of the event')
const notInEvent = says('The user is neither a guest nor an organizer of the event')

export const makeAnnouncement = route({
  name: 'makeAnnouncement',
  summary:
    'Tells everybody in an event something, by an organizer: it rings once through mutes and quiet hours. A second one within the minute is added to the first and rings nobody again who has not read that. At most five within 24 hours.',
  at: [['POST', 'api/event/announcement']],
  perMinute: 20,
  idempotent: true,
  input: z.object({
    event_id: Id,
    /** Of which phones make no links. */
    announcement_text: text(announcementLengthMax).refine(words => !pageAddress.test(words), sentence.format),
  }),
  reply: Announcement,
  refusals: {
    noSuchEvent,
    notOrganizer,
    tooManyAnnouncements: says('This event has had enough announcements for today'),
  },
})

export const listAnnouncements = route({
  name: 'listAnnouncements',
  summary: 'What was announced in an event, newest first.',
  at: [['GET', 'api/event/announcement/list/{event_id}']],
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(Announcement),
  refusals: { noSuchEvent, notInEvent },
})

export const seeAnnouncement = route({
  name: 'seeAnnouncement',
  summary: 'The viewer has read an announcement, on every device.',
  at: [['PUT', 'api/event/announcement/seen/{announcement_id}']],
  input: z.object({ announcement_id: Id }),
  reply: Done,
  refusals: { noSuchAnnouncement },
})

export const withdrawAnnouncement = route({
  name: 'withdrawAnnouncement',
  summary: 'Takes an announcement back, with all that it told; by an organizer.',
  at: [['DELETE', 'api/event/announcement/{announcement_id}']],
  input: z.object({ announcement_id: Id }),
  reply: Done,
  refusals: { noSuchAnnouncement, notOrganizer },
})
