import { createHash } from 'node:crypto'
import type { Locale } from '@afterglow/contract/languages'
import { reasons } from '@afterglow/contract/reasons'
import { sentence } from '@afterglow/contract/words'
import { noteLanguage } from '../../accounts/sessions/sessions.ts'
import { type Db, transact } from '../../platform/database/database.ts'
import { invalid, refuse, Unauthenticated } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { LaneOf } from '../../platform/push/push-lanes.ts'
import type { PushAddress } from '../../platform/push/senders.ts'
import { faultOfSubscription } from '../../platform/push/web-push/subscription.ts'
import { saveTest } from '../notification-writer-store.ts'
import * as addresses from './addresses-store.ts'
import { saveDeliveries } from './deliveries-store.ts'
import { addPushJob } from './push-jobs.ts'

export type Registration = {
  token: string | undefined
  endpoint: string | undefined
  p256dh: string | undefined
  auth: string | undefined
  /** The request's language; undefined leaves the known one. */
  language: Locale | undefined
}

/** Stores where push reaches the viewer's device, replacing what was known; without an address, nowhere. */
export const registerDevice = (db: Db, viewer: Viewer, asked: Registration, privateOrigins: readonly string[]) =>
  transact(db, async tx => {
    const platform = (await addresses.lockDevice(tx, viewer.deviceRow)) ?? signedOut()
    if (asked.language) await noteLanguage(tx, viewer.deviceRow, asked.language)
    const address = addressOf(asked, platform)
    if (!address) {
      await addresses.removeAddress(tx, viewer.deviceRow)
      return null
    }
    if (address.platform === 'web' && faultOfSubscription(address.subscription, [...privateOrigins]))
      invalid('push_endpoint', sentence.format)
    await addresses.saveAddress(tx, viewer.deviceRow, address, fingerprintOf(address))
    return address.platform
  })

const signedOut = (): never => {
  throw new Unauthenticated()
}

/** Apple's tokens come from devices that report iOS; Google's reach every other app. */
const addressOf = ({ token, endpoint, p256dh, auth }: Registration, platform: string): PushAddress | null => {
  if (endpoint && p256dh && auth) return { platform: 'web', subscription: { endpoint, p256dh, auth } }
  if (token) return { platform: platform === 'ios' ? 'ios' : 'android', token }
  return null
}

const fingerprintOf = (address: PushAddress) =>
  createHash('sha256')
    .update(address.platform === 'web' ? address.subscription.endpoint : `${address.platform} ${address.token}`)
    .digest()

/** A push to the viewer's own device, whether its app is active or not: it shows that push works. */
export const testDevice = (db: Db, viewer: Viewer, laneOf: LaneOf) =>
  transact(db, async tx => {
    const device = (await addresses.findPushDevice(tx, viewer.deviceRow)) ?? refuse('noPushAddress')
    const test = await saveTest(tx, viewer.id, {
      tag: `test:${viewer.deviceRow}`,
      link: '/settings/notifications',
      reasons: [reasons.askedForTest],
    })
    await saveDeliveries(tx, [
      { notificationId: test.id, device, way: 'push', state: 'waiting', because: [reasons.askedForTest] },
    ])
    await addPushJob(tx, [[test.id, device.id]], laneOf(device.push ?? 'web', device.endpoint))
    return test
  })
