import { can } from '@afterglow/contract/capabilities'
import * as contract from '@afterglow/contract/wall'
import type { z } from 'zod'
import type { LinkCodes } from '../events/links/link-codes.ts'
import { linkForAll } from '../events/links/show-link.ts'
import type { AskingAs } from '../platform/http/handler-context.ts'
import type { Serve } from '../platform/http/serve.ts'
import * as store from './store.ts'
import * as walls from './walls.ts'

type Asking = Pick<AskingAs<typeof contract.readWall>, 'db' | 'urls'>
type ShownEvent = Awaited<ReturnType<typeof walls.eventToShow>>

const showWall = async (
  codes: LinkCodes,
  { db, urls }: Asking,
  event: ShownEvent,
): Promise<z.output<typeof contract.Wall>> => {
  const row = await store.readWall(db, event.id)
  const state = row.state ?? walls.untouched
  return {
    event_id: event.id,
    wall_layout: state.layout,
    wall_seconds: state.seconds,
    wall_photos: state.photos,
    wall_messages: row.messages,
    wall_paused: state.paused,
    wall_turn: state.turn,
    shown_photo_id: state.shown_photo_id,
    chosen_photo_ids: row.chosen,
    hidden_photo_ids: row.hidden,
    on_wall_photo_ids: row.on_wall,
    on_wall_at: row.on_wall_at?.toISOString() ?? null,
    wall_link: can(event.standing, 'show') ? await linkForAll(db, event, { codes, urls }) : null,
  }
}

export const wallRoutes = (serve: Serve, codes: LinkCodes) => {
  const show = (asking: Asking, event: ShownEvent) => showWall(codes, asking, event)

  serve(contract.readWall, async asking =>
    show(asking, await walls.eventToShow(asking.db, asking.viewer, asking.input.event_id)),
  )

  serve(contract.saveWall, async ({ input, ...asking }) => {
    await walls.changeWall(asking.db, asking.viewer, input.event_id, {
      layout: input.wall_layout,
      seconds: input.wall_seconds,
      photos: input.wall_photos,
      messages: input.wall_messages,
      paused: input.wall_paused,
      turn: input.wall_turn,
      shown_photo_id: input.shown_photo_id,
    })
    return show(asking, await walls.eventToShow(asking.db, asking.viewer, input.event_id))
  })

  serve(contract.markForWall, async ({ input, ...asking }) => {
    const eventId = await walls.markForWall(asking.db, asking.viewer, input.event_photo_id, input.wall_mark)
    return show(asking, await walls.eventToShow(asking.db, asking.viewer, eventId))
  })

  serve(contract.sayShown, async ({ input, ...asking }) => {
    await walls.sayShown(asking.db, asking.viewer, input.event_id, input.event_photo_ids)
    return show(asking, await walls.eventToShow(asking.db, asking.viewer, input.event_id))
  })
}
