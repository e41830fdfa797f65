import type * as contract from '@afterglow/contract/wall'
import { operation } from './operation.ts'

/**
 * Returns what the wall of an event shows. For whoever sees its album.
 *
 * `GET api/event/wall/{event_id}`, at most 240 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 */
export const readWall = operation<typeof contract.readWall>('GET', 'api/event/wall/{event_id}')
/**
 * Changes what the wall of an event shows; whatever is omitted stays. Its screens are told at once. To turn to the
 * next photo, send `wall_turn` one higher than it is; a number that it has reached changes nothing. `shown_photo_id`
 * turns to that photo. Organizers only.
 *
 * `POST api/event/wall`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws noSuchPhoto: Photo not found!
 * @throws notForWall: The photo is hidden or waits to be approved
 */
export const saveWall = operation<typeof contract.saveWall>('POST', 'api/event/wall')
/**
 * Chooses a photo for the wall, hides it from the wall, or neither; in the album it stays as it is. At most 1000 of
 * each in an event. Organizers only.
 *
 * `POST api/event/wall/photo`, at most 120 times a minute.
 * @throws noSuchPhoto: Photo not found!
 * @throws notInEvent: The user is neither a guest nor an organizer of the event
 * @throws notOrganizer: The user is not an organizer of the event
 * @throws notForWall: The photo is hidden or waits to be approved
 */
export const markForWall = operation<typeof contract.markForWall>('POST', 'api/event/wall/photo')
/**
 * Says which photos a screen shows, so that organizers see it on their phones; with each turn, and once a minute
 * while nothing changes. Photos that no screen may show are left out. For screens and organizers.
 *
 * `POST api/event/wall/shown`, at most 120 times a minute.
 * @throws noSuchEvent: Event not found!
 * @throws notOrganizer: The user is not an organizer of the event
 */
export const sayShown = operation<typeof contract.sayShown>('POST', 'api/event/wall/shown')
