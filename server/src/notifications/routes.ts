import * as contract from '@afterglow/contract/notifications'
import { rangeOf } from '../platform/http/pages.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import { pushLanes } from '../platform/push/push-lanes.ts'
import { deliveriesOf } from './deliveries-store.ts'
import { countUnread, findNotification, listNotifications } from './notifications-store.ts'
import { presentNotification, presentTrace } from './present.ts'
import * as reading from './reading.ts'
import { registerDevice, testDevice } from './registering.ts'

const done = { done: true } as const

/** How the contract calls the services behind each platform. */
const services = { web: 'web', android: 'fcm', ios: 'apns' } as const

export const notificationRoutes = (serve: Serve, { privatePushOrigins }: { privatePushOrigins: readonly string[] }) => {
  const laneOf = pushLanes(privatePushOrigins)

  serve(contract.listNotifications, async ({ db, viewer, input, page }) =>
    page(await listNotifications(db, viewer.id, rangeOf(input)), presentNotification),
  )

  serve(contract.countUnreadNotifications, async ({ db, viewer }) => ({
    unread_count: (await countUnread(db, [viewer.id])).get(viewer.id) ?? 0,
  }))

  serve(contract.readNotification, async ({ db, viewer, input }) =>
    presentNotification(await reading.readNotification(db, viewer, input.notification_id)),
  )

  serve(contract.readAllNotifications, async ({ db, viewer }) => {
    await reading.readAllNotifications(db, viewer)
    return done
  })

  serve(contract.traceNotification, async ({ db, viewer, input, extra }) => {
    const row = await findNotification(db, viewer.id, input.notification_id, { withdrawn: true })
    return presentTrace(row ?? refuse('noSuchNotification'), await deliveriesOf(db, input.notification_id), { extra })
  })

  serve(contract.registerDevice, async ({ db, viewer, input }) => {
    const { push_token: token, push_endpoint: endpoint, push_p256dh: p256dh, push_auth: auth } = input
    const platform = await registerDevice(db, viewer, { token, endpoint, p256dh, auth }, privatePushOrigins)
    return { push: platform ? services[platform] : 'none' } as const
  })

  serve(contract.testDevice, async ({ db, viewer }) => presentNotification(await testDevice(db, viewer, laneOf)))
}
