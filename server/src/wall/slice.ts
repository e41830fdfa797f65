import { openLinkCodes } from '../events/links/link-codes.ts'
import type { Needs, Slice } from '../slice.ts'
import { wallRoutes } from './routes.ts'
import { copyWall, eraseWall, wallRecounts, wallsBy } from './store.ts'

/** The screens of an event, and their remote control. */
export const wall: Slice = {
  name: 'wall',
  tables: {
    wall_photos: { kept: 'one a photo at most' },
    walls: { kept: 'one an event' },
  },
  exports: [{ name: 'walls', tables: ['walls', 'wall_photos'], rows: (db, userId) => wallsBy(db, userId) }],
  erasesEvent: eraseWall,
  recounts: wallRecounts,
  channel: () => ({
    'wall.updated': async (_, changes, recipientsOf) =>
      new Map(
        changes.map(change => [
          change.id,
          [{ payload: { event_id: change.event_id }, to: recipientsOf(change).map(({ id }) => id) }],
        ]),
      ),
  }),
  eventPart: { copy: (tx, { from, to }) => copyWall(tx, from.id, to.id) },
  open({ serve, secrets }: Needs<'secrets' | 'serve'>) {
    wallRoutes(serve, openLinkCodes(secrets.media.key))
    return {}
  },
}
