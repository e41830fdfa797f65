/** The wall of an event: what its screens show, and how organizers control it from afar. */
import { z } from 'zod'
import { wallPhotosMax, wallSecondsMax, wallSecondsMin, wallShownMax } from './limits.ts'
import type { RefusalPage } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import { albumNotForYou } from './streams.ts'
import { Count, count, Flag, Id, IdNumber, maybe, sentence, shape, Timestamp, Url } from './words.ts'

// ---- fields ----

/** `one` photo, `pairs`: portrait photos side by side, or a `mosaic` that builds up. */
export const wallLayouts = ['one', 'pairs', 'mosaic'] as const
export const wallChoices = ['all', 'liked', 'chosen'] as const

/** The default settings of an event's wall. */
export const untouchedWall = { layout: 'pairs', seconds: 7, photos: 'all', paused: false, turn: 0 } as const

// ---- resources ----

/** By which guests join or add photos. */
export const WallLink = shape('WallLink', {
  link_url: Url.describe('Where it leads.'),
  link_qr_svg_url: Url.describe('It as a QR code (SVG).'),
  link_pin: z.string().nullable(),
  short_code: z.string().nullable().describe('The code to type instead; null if it has none.'),
  short_url: Url.nullable().describe('The address to type, with this code.'),
})

/** The state of an event's screens: all of them show the same whenever they read it. */
export const Wall = shape('Wall', {
  event_id: IdNumber,
  wall_layout: z.enum(wallLayouts),
  wall_seconds: z.int(),
  wall_photos: z.enum(wallChoices),
  wall_messages: z.boolean(),
  wall_paused: z.boolean(),
  wall_turn: Count,
  shown_photo_id: IdNumber.nullable().describe('ID of the photo that the last such turn named; null if it named none.'),
  chosen_photo_ids: z.array(IdNumber).describe('IDs of the photos that organizers have chosen.'),
  hidden_photo_ids: z.array(IdNumber).describe('IDs of the photos that are in the album and not on the wall.'),
  on_wall_photo_ids: z.array(IdNumber).describe('IDs of the photos that a screen last said it shows.'),
  on_wall_at: Timestamp.nullable().describe('When a screen last said what it shows; null if none ever has.'),
  wall_link: WallLink.nullable().describe(
    'The link to show to everybody at the venue: for screens and organizers, if there is an open one.',
  ),
})

// ---- refusals ----

const noSuchEvent = notFound('Event not found!')
const noSuchPhoto = notFound('Photo not found!')
const notInEvent = says('The user is neither a guest nor an organizer of the event')
const notOrganizer = says('The user is not an organizer of the event')
const notForWall = says('The photo is hidden or waits to be approved')

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  notForWall: {
    cause: 'The photo is hidden, waits to be approved or is kept until the reveal: no screen shows it.',
    client: 'Offer to approve the photo or to show it again first.',
  },
} satisfies Record<string, RefusalPage>

// ---- operations ----

export const readWall = route('readWall', 'GET api/event/wall/{event_id}', {
  opens: ['link'],
  summary: 'Returns what the wall of an event shows. For people who see its album.',
  perMinute: 240,
  input: z.object({ event_id: Id }),
  reply: Wall,
  refusals: { noSuchEvent, notInEvent, albumNotForYou },
})

export const saveWall = route('saveWall', 'POST api/event/wall', {
  opens: ['link'],
  summary:
    'Changes what the wall of an event shows; whatever is omitted stays. Its screens are told at once. To turn to the next photo, send `wall_turn` one higher than it is; a number that it has reached changes nothing. `shown_photo_id` turns to that photo. Organizers only.',
  input: z.object({
    event_id: Id,
    wall_layout: maybe(z.enum(wallLayouts, sentence.selected)),
    wall_seconds: maybe(count(wallSecondsMin, wallSecondsMax)),
    wall_photos: maybe(z.enum(wallChoices, sentence.selected)),
    wall_messages: maybe(Flag),
    wall_paused: maybe(Flag),
    wall_turn: maybe(count(0, 2_147_483_647)),
    shown_photo_id: maybe(Id).describe(
      'ID of the photo to show now. It is on the wall again if it was hidden from it.',
    ),
  }),
  reply: Wall,
  refusals: { noSuchEvent, notOrganizer, noSuchPhoto, notForWall },
  takes: { back: 'saveWall', tells: 'channel' },
})

export const markForWall = route('markForWall', 'POST api/event/wall/photo', {
  opens: ['link'],
  summary: `Chooses a photo for the wall, hides it from the wall, or neither; in the album it stays as it is. At most ${wallPhotosMax} of each in an event. Organizers only.`,
  input: z.object({
    event_photo_id: Id,
    wall_mark: z
      .enum(['chosen', 'hidden', 'none'], sentence.selected)
      .describe('chosen: the wall shows it also when it shows chosen photos alone. hidden: the wall never shows it.'),
  }),
  reply: Wall,
  refusals: { noSuchPhoto, notInEvent, notOrganizer, notForWall },
  takes: { back: 'markForWall', tells: 'channel' },
})

export const sayShown = route('sayShown', 'POST api/event/wall/shown', {
  opens: ['link'],
  summary:
    'Says which photos a screen shows, so that organizers see it on their phones; with each turn, and once a minute while nothing changes. Photos that no screen may show are left out. For screens and organizers.',
  input: z.object({
    event_id: Id,
    event_photo_ids: z
      .array(Id, sentence.array)
      .max(wallShownMax, sentence.countAtMost(wallShownMax))
      .describe('IDs of the photos, in their order.'),
  }),
  reply: Wall,
  refusals: { noSuchEvent, notOrganizer },
})
