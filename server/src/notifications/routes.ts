import type { Locale } from '@afterglow/contract/languages'
import * as contract from '@afterglow/contract/notifications'
import * as notificationSettings from '@afterglow/contract/notifications/notification-settings'
import * as pushDevices from '@afterglow/contract/notifications/push-devices'
import type { Db } from '../platform/database/database.ts'
import { rangeOf } from '../platform/http/pages.ts'
import { refuse } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { pushLanes } from '../platform/push/push-lanes.ts'
import { inRegion } from '../words/moments.ts'
import { deliveriesOf } from './delivery/deliveries-store.ts'
import { registerDevice, testDevice } from './delivery/device-registration.ts'
import * as reading from './mark-read.ts'
import { countUnread, findNotification, listNotifications, newestAt } from './notifications-store.ts'
import { presentNotification, presentSettings, presentTrace } from './present.ts'
import { readerOf, readersAt } from './readers-store.ts'
import { changeSettings } from './settings.ts'
import { readSettings } from './settings-store.ts'
import type { Reader } from './texts.ts'

const done = { done: true } as const
const nowhere = { language: null, timezone: 'UTC' }

type Reading = {
  db: Db
  viewer: Viewer
  languageAsked: Locale | undefined
  speaks(language: Locale): void
}

/** The contract's names of the services behind each platform. */
const services = { web: 'web', android: 'fcm', ios: 'apns' } as const

export const notificationRoutes = (serve: Serve, { privatePushOrigins }: { privatePushOrigins: readonly string[] }) => {
  const laneOf = pushLanes(privatePushOrigins)

  /** As the request asks, or else as known for its device; the reply says which language it uses. */
  const readerFor = async ({ db, viewer, languageAsked, speaks }: Reading): Promise<Reader> => {
    const own = await known(db, viewer)
    const reader = { ...own, language: languageAsked ? inRegion(languageAsked, own.timezone) : own.language }
    speaks(reader.language)
    return reader
  }

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

  const known = async (db: Db, viewer: Viewer) =>
    (await readersAt(db, [viewer.deviceRow])).get(viewer.deviceRow) ?? readerOf(nowhere)

  serve(notificationSettings.readNotificationSettings, async ({ db, viewer }) =>
    presentSettings(await readSettings(db, viewer.id), await known(db, viewer)),
  )

  serve(notificationSettings.saveNotificationSettings, async ({ db, viewer, input }) => {
    const {
      muted_until: mutedUntil,
      quiet_from: from,
      quiet_until: until,
      rings_per_hour,
      mails_digest,
      language,
    } = input
    const quiet = from === undefined || until === undefined ? undefined : { from, until }
    await changeSettings(db, viewer, {
      mutedUntil,
      quiet,
      ringsPerHour: rings_per_hour,
      mailsDigest: mails_digest,
      language,
    })
    return presentSettings(await readSettings(db, viewer.id), await known(db, viewer), language)
  })

  serve(pushDevices.registerDevice, async ({ db, viewer, input, languageAsked: language }) => {
    const { push_token: token, push_endpoint: endpoint, push_p256dh: p256dh, push_auth: auth } = input
    const platform = await registerDevice(db, viewer, { token, endpoint, p256dh, auth, language }, privatePushOrigins)
    return { push: platform ? services[platform] : 'none' } as const
  })

  serve(pushDevices.testDevice, async asking => {
    const reader = await readerFor(asking)
    return presentNotification(await testDevice(asking.db, asking.viewer, laneOf), reader)
  })
}
