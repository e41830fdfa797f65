import { readEventLevel, saveEventLevel } from '@afterglow/contract/notifications/notification-settings'
import { changeEventSettings, eventSettings } from '../notifications/settings/settings.ts'
import type { Serve } from '../platform/http/serve.ts'
import { eventFor, requireMember } from './access.ts'

export const levelRoutes = (serve: Serve) => {
  serve(readEventLevel, async ({ db, viewer, input: { event_id } }) => {
    requireMember(await eventFor(db, viewer, event_id))
    return presentLevel(event_id, await eventSettings(db, viewer, event_id))
  })

  serve(saveEventLevel, async ({ db, viewer, input }) => {
    const { event_id, level, muted_until: mutedUntil, photos_at_once: photosAtOnce } = input
    requireMember(await eventFor(db, viewer, event_id))
    const wish = { level, mutedUntil, photosAtOnce }
    return presentLevel(event_id, await changeEventSettings(db, viewer, event_id, wish))
  })
}

const presentLevel = (
  event_id: number,
  { level, muted_until, photos_at_once }: Awaited<ReturnType<typeof eventSettings>>,
) => ({ event_id, level, muted_until: muted_until?.toISOString() ?? null, photos_at_once })
