import { z } from 'zod'
import { noSuchEvent, notOrganizer } from '../events.ts'
import { notFound, route } from '../route.ts'
import { Done, Id, IdNumber, Page, Paging, shape, Timestamp } from '../words.ts'

/** A device on which a link of the kind screen is open. */
export const Screen = shape('Screen', {
  id: IdNumber,
  event_id: IdNumber,
  link_id: IdNumber,
  screen_seen_at: Timestamp.describe('When the screen last asked for anything.'),
  created_at: Timestamp.describe('When the link was opened on it.'),
})

export const listScreens = route('listScreens', 'GET api/event/screen/list/{event_id}', {
  summary: 'Lists the screens of an event, newest first. Organizers only.',
  input: z.object({ event_id: Id, ...Paging }),
  reply: Page(Screen),
  refusals: { noSuchEvent, notOrganizer },
})

export const endScreen = route('endScreen', 'DELETE api/event/screen/{screen_id}', {
  summary: 'Ends what one screen shows; its link stays open, and can be opened on it again. Organizers only.',
  input: z.object({ screen_id: Id.describe('ID of the screen.') }),
  reply: Done,
  refusals: { noSuchScreen: notFound('Screen not found!'), notOrganizer },
  takes: { back: 'viewByLink', tells: 'nextVisit', audits: 'screen.ended' },
})
