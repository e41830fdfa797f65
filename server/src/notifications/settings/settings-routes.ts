import * as contract from '@afterglow/contract/notifications/notification-settings'
import * as pushDevices from '@afterglow/contract/notifications/push-devices'
import type { Serve } from '../../platform/http/serve.ts'
import { pushLanes } from '../../platform/push/push-lanes.ts'
import { registerDevice, testDevice } from '../delivery/device-registration.ts'
import { presentNotification, presentSettings } from '../present.ts'
import { knownReader, readerFor } from '../request-reader.ts'
import { changeSettings } from './settings.ts'
import { readSettings } from './settings-store.ts'

/** The contract's names of the services behind each platform. */
const services = { web: 'web', android: 'fcm', ios: 'apns' } as const

export const notificationSettingsRoutes = (
  serve: Serve,
  { privatePushOrigins }: { privatePushOrigins: readonly string[] },
) => {
  const laneOf = pushLanes(privatePushOrigins)

  serve(contract.readNotificationSettings, async ({ db, viewer }) =>
    presentSettings(await readSettings(db, viewer.id), await knownReader(db, viewer)),
  )

  serve(contract.saveNotificationSettings, async ({ db, viewer, input }) => {
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
    return presentSettings(await readSettings(db, viewer.id), await knownReader(db, viewer), language)
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
