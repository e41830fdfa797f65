import { forget, type Rules, reload } from '../app/cache/change.ts'
import { wallKey } from './keys.ts'

/** Channel events about walls: an event says whether its wall shows messages. */
export const onWallEvent: Rules = heard => {
  switch (heard.kind) {
    case 'wall.updated':
      return [reload(wallKey(heard.payload.event_id))]
    case 'event.updated':
      return [reload(wallKey(heard.payload.id))]
    case 'event.deleted':
      return [forget(wallKey(heard.payload.event_id))]
    default:
      return []
  }
}
