import { z } from 'zod'
import { chatExtra } from '../chat-fields.ts'
import { planExtra } from '../plan-fields.ts'
import { programmeExtra } from '../programme-fields.ts'
import { revealExtra } from '../reveal-fields.ts'
import { waitingExtra } from '../waiting.ts'
import { Count, IdNumber, sentence, shape, Timestamp, Url } from '../words.ts'
import { eventThemes } from './themes.ts'

export const visibility = { public: 1, link: 2, private: 3 } as const
export const joinMode = { open: 1, approval: 2, invitation: 3 } as const
export const eventStatus = { planned: 1, cancelled: 2 } as const

/** Whether photos by guests wait until somebody approves them. */
export const PhotoApproval = z.enum(['none', 'wall', 'album'], sentence.selected)

export const EventTheme = z.enum(eventThemes, sentence.selected)

export const EventRole = z.enum(['organizer', 'guest', 'asked', 'invited', 'none'])

export const Event = shape('Event', {
  id: IdNumber,
  event_name: z.string(),
  event_description: z.string().nullable(),
  event_starts_at: Timestamp,
  event_ends_at: Timestamp.nullable(),
  event_timezone: z.string(),
  event_location: z.string().nullable(),
  event_visibility: z.int(),
  event_join_mode: z.int(),
  event_status: z.int().describe('1 planned, 2 cancelled.'),
  event_avatar_url: Url,
  event_guests_count: Count,
  event_role: EventRole,
  group_chat_id: IdNumber,
  created_at: Timestamp,
  updated_at: Timestamp,
  extra: z
    .strictObject({
      /** Whether guests may add other people's chat pictures to the album. */
      attachments_to_album: z.boolean().describe('May add pictures from other people’s messages to the gallery.'),
      /** Whether guests are offered to pass on the link they joined by. */
      guests_may_share: z.boolean().describe('May pass on the link they joined by.'),
      greetings_on_wall: z.boolean().describe('Whether the live wall shows short messages from the chat.'),
      location_hidden: z
        .boolean()
        .describe('Whether only people in the event are told where it takes place; others get null for every place.'),
      guests_hidden: z.boolean().describe('Whether guests see of its people only the organizers.'),
      page_lives: z.boolean().describe('Whether its page shows what counts before, during and after it.'),
      photo_approval: PhotoApproval.describe(
        'Whether photos by guests are seen at once (none), or wait before the wall or before the album.',
      ),
      event_theme: EventTheme.nullable().describe('What is drawn where it has no photo; null if nobody chose one.'),
      event_link: Url.optional().describe(
        'The link for guests, in the reply to the request that made it with the event.',
      ),
      owner_id: IdNumber.nullable().describe('User ID of the owner; null for people who are not in the event.'),
      offered_to: IdNumber.nullable().describe(
        'User ID of the person whom the owner has offered the event; null for everybody but these two.',
      ),
      timezone_offset: z
        .string()
        .describe(
          'The venue’s distance from UTC when the event starts, such as `+02:00`, for devices that do not know its time zone.',
        ),
      again_of: IdNumber.nullable().describe('ID of the event that this one repeats; null if it repeats none.'),
      ...planExtra,
      ...programmeExtra,
      ...revealExtra,
      ...chatExtra,
      ...waitingExtra,
      /** Only in the owner's list of deleted events, which can be restored for thirty days. */
      deleted_at: Timestamp.nullable(),
      /** What the viewer may do, so that no client needs a rule of its own. */
      may: z.strictObject({
        ask: z.boolean().describe('May ask to join.'),
        see: z.boolean().describe('Is in it, or came by a link that shows something of it or takes photos.'),
        album: z.boolean().describe('May see the photos of others.'),
        browse: z.boolean().describe('May read the comments and take the album home.'),
        read_chat: z.boolean().describe('May read its chat.'),
        read: z.boolean().describe('May see who is in it, its album and its chat.'),
        chat: z.boolean(),
        upload: z.boolean(),
        invite: z.boolean().describe('May invite others.'),
        manage: z.boolean().describe('May change the event and manage its guests.'),
        announce: z.boolean().describe('May announce something to everybody in it.'),
        moderate: z.boolean().describe('May hide and remove what others added, and read reports.'),
        approve: z.boolean().describe('May decide about photos that wait.'),
        leave: z.boolean().describe('May leave it.'),
        /** To delete, restore and hand it over: the owner's alone. */
        own: z.boolean().describe('Whether the viewer owns the event.'),
      }),
    })
    .optional(),
})
