import * as contract from '@afterglow/contract/notifications'
import { rangeOf } from '../platform/http/pages.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import { deliveriesOf } from './delivery/deliveries-store.ts'
import * as reading from './mark-read.ts'
import { countUnread, findNotification, listNotifications, newestAt } from './notifications-store.ts'
import { presentNotification, presentTrace } from './present.ts'
import { readerFor } from './request-reader.ts'

const done = { done: true } as const

export const notificationRoutes = (serve: Serve) => {
  serve(contract.listNotifications, async asking => {
    const { db, viewer, input, page } = asking
    const reader = await readerFor(asking)
    return page(await listNotifications(db, viewer.id, rangeOf(input)), row => presentNotification(row, reader))
  })

  serve(contract.countUnreadNotifications, async ({ db, viewer }) => ({
    unread_count: (await countUnread(db, [viewer.id])).get(viewer.id) ?? 0,
    newest_at: (await newestAt(db, viewer.id))?.toISOString() ?? null,
  }))

  serve(contract.readNotification, async asking => {
    const { db, viewer, input } = asking
    const reader = await readerFor(asking)
    return presentNotification(await reading.readNotification(db, viewer, input.notification_id), reader)
  })

  serve(contract.readAllNotifications, async ({ db, viewer }) => {
    await reading.readAllNotifications(db, viewer)
    return done
  })

  serve(contract.traceNotification, async asking => {
    const { db, viewer, input, extra } = asking
    const row = await findNotification(db, viewer.id, input.notification_id, { withdrawn: true })
    const deliveries = await deliveriesOf(db, input.notification_id)
    return presentTrace(row ?? refuse('noSuchNotification'), deliveries, await readerFor(asking), { extra })
  })
}
