import type { ChannelPayloads } from '@afterglow/sdk/realtime'
import { become, type Change, forget, type Rules, reload } from '../app/cache/change.ts'
import { eachRow, type Listed, withoutRow, withRowFirst } from '../app/cache/pages.ts'
import {
  announcementsKey,
  eventKey,
  eventsKey,
  guestsKey,
  invitationsKey,
  logKey,
  requestsKey,
  returnsKey,
  waitingListKey,
} from './keys.ts'

type Event = ChannelPayloads['event.updated']
type Guest = ChannelPayloads['guest.updated']['guest']
type Person = ChannelPayloads['join.requested']['user']

/** What the channel announces about events and their guests. */
export const hearEvents: Rules = (heard, me) => {
  switch (heard.kind) {
    case 'event.updated':
    case 'event.cancelled':
      // A different time moves it to another position or list.
      return [
        become<Event>(eventKey(heard.payload.id), () => heard.payload),
        eachEvent(heard.payload),
        reload(eventsKey()),
        reload(announcementsKey(heard.payload.id)),
        // People who were sent away together are not announced one by one.
        reload(guestsKey(heard.payload.id)),
      ]
    case 'event.deleted':
      return [
        ...[eventKey, guestsKey, requestsKey, logKey].map(keyOf => forget(keyOf(heard.payload.event_id))),
        reload(eventsKey()),
        reload(invitationsKey),
      ]
    case 'join.requested':
      return asked(heard.payload.event_id, heard.payload.user, me)
    case 'join.approved':
    case 'join.rejected':
    case 'join.withdrawn':
      return answered(heard.payload.event_id, heard.payload.user, me)
    case 'guest.joined': {
      const { event_id, event_guests_count, guest } = heard.payload
      return [...counted(event_id, event_guests_count), entered(event_id, guest), ...own(event_id, guest.user.id, me)]
    }
    case 'guests.counted':
      return counted(heard.payload.event_id, heard.payload.event_guests_count)
    case 'guest.updated': {
      const { event_id, guest } = heard.payload
      return [entered(event_id, guest), ...own(event_id, guest.user.id, me)]
    }
    case 'guest.left': {
      const { event_id, event_guests_count, user_id } = heard.payload
      const left = become<Listed<Guest>>(guestsKey(event_id), shown =>
        withoutRow(shown, ({ user }) => user.id === user_id),
      )
      return [...counted(event_id, event_guests_count), left, ...own(event_id, user_id, me)]
    }
    case 'notification.created':
      if (heard.payload.notification_kind === 'return_request') return [reload(returnsKey(heard.payload.event_id ?? 0))]
      return heard.payload.notification_kind === 'invitation' ? [reload(invitationsKey)] : []
    default:
      return []
  }
}

const eachEvent = (event: Event): Change =>
  become<Listed<Event>>(eventsKey(), shown => eachRow(shown, each => (each.id === event.id ? event : each)))

const counted = (eventId: number, event_guests_count: number): Change[] => [
  become<Event>(eventKey(eventId), event => ({ ...event, event_guests_count })),
  become<Listed<Event>>(eventsKey(), shown =>
    eachRow(shown, each => (each.id === eventId ? { ...each, event_guests_count } : each)),
  ),
]

/** Organizers come first, then guests in the order in which they joined; a change of role moves a row. */
const entered = (eventId: number, guest: Guest): Change =>
  become<Listed<Guest>>(guestsKey(eventId), shown => {
    const known = shown.pages.flatMap(page => page.data).find(each => each.user.id === guest.user.id)
    if (known?.event_role === guest.event_role)
      return eachRow(shown, each => (each.user.id === guest.user.id ? guest : each))
    const rest = withoutRow(shown, each => each.user.id === guest.user.id)
    const complete = rest.pages.length === 1 && rest.pages[0]?.next_page_url === null
    const [first, ...others] = rest.pages
    if (!first) return shown
    if (!complete) return guest.event_role === 'organizer' ? withRowFirst(rest, guest, () => false) : rest
    const all = [...first.data, guest].sort((a, b) => rank(a) - rank(b) || a.joined_at.localeCompare(b.joined_at))
    return { ...rest, pages: [{ ...first, data: all }, ...others] }
  })
const rank = ({ event_role }: Guest) => (event_role === 'organizer' ? 0 : 1)

/** My permissions in an event change with my standing, and only the service knows how. */
const own = (eventId: number, userId: number, me: number): Change[] =>
  userId === me
    ? [reload(eventKey(eventId)), reload(eventsKey()), reload(guestsKey(eventId)), reload(requestsKey(eventId))]
    : []

const waitingChanged = (eventId: number): Change[] => [reload(eventKey(eventId)), reload(waitingListKey)]

const asked = (eventId: number, person: Person, me: number): Change[] => [
  ...waitingChanged(eventId),
  become<Listed<Person>>(requestsKey(eventId), shown => {
    if (shown.pages.some(page => page.data.some(({ id }) => id === person.id))) return shown
    const last = shown.pages.at(-1)
    if (!last || last.next_page_url !== null) return shown
    return { ...shown, pages: [...shown.pages.slice(0, -1), { ...last, data: [...last.data, person] }] }
  }),
  ...own(eventId, person.id, me),
]

const answered = (eventId: number, person: Person, me: number): Change[] => [
  ...waitingChanged(eventId),
  become<Listed<Person>>(requestsKey(eventId), shown => withoutRow(shown, ({ id }) => id === person.id)),
  ...own(eventId, person.id, me),
]
