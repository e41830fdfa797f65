import { languages } from '@afterglow/contract/languages'
import { type Reason, reasons } from '@afterglow/contract/reasons'
import { LRUCache } from 'lru-cache'
import { sayReasons } from '../../words/reasons.ts'
import { type ApnsOptions, openApns } from './apns.ts'
import { type FcmOptions, openFcm } from './fcm.ts'
import type { Clearing, PushMessage } from './message.ts'
import { type Outcome, refused } from './outcome.ts'
import { type LaneOf, pushLanes } from './push-lanes.ts'
import type { Subscription } from './web-push/subscription.ts'
import { openWebPush, type WebPushOptions } from './web-push/web-push.ts'

export type PushAddress =
  | { platform: 'web'; subscription: Subscription }
  | { platform: 'android'; token: string }
  | { platform: 'ios'; token: string }

export type PushOptions = {
  webPush?: WebPushOptions
  fcm?: FcmOptions
  apns?: ApnsOptions
  log: { warn(fields: object, message: string): void }
}

export type Push = {
  /** Sends one push to one address, once. Never rejects. */
  send(address: PushAddress, message: PushMessage): Promise<Outcome>
  /** Removes what an app shows, without showing anything. No browser allows it: browsers get nothing. Never rejects. */
  clear(address: PushAddress, clearing: Clearing): Promise<Outcome>
  /** The platforms that can be pushed to. */
  ways: PushAddress['platform'][]
  laneOf: LaneOf
  /** Pushes in progress end as `later`. */
  close(): Promise<void>
}

const sameRefusalLoggedEveryMs = 60_000

/** Opens the configured senders. Throws CannotStart for unusable credentials. */
export function openPush({ webPush, fcm, apns, log }: PushOptions): Push {
  const web = webPush && openWebPush(webPush)
  const android = fcm && openFcm(fcm)
  const ios = apns && openApns(apns)
  const open = { web, android, ios }
  const logged = new LRUCache<string, true>({ max: 100, ttl: sameRefusalLoggedEveryMs })

  return {
    ways: (['web', 'android', 'ios'] as const).filter(platform => open[platform]),
    laneOf: pushLanes(webPush?.knownOrigins ?? webPush?.privateOrigins),
    send: (address, message) => tell(address, deliver(address, message)),
    clear: (address, clearing) => tell(address, clear(address, clearing)),
    async close() {
      android?.close()
      ios?.close()
      web?.close()
    },
  }

  async function tell({ platform }: PushAddress, telling: Promise<Outcome>): Promise<Outcome> {
    const outcome = await telling.catch((err: unknown) => {
      log.warn({ platform, err: nameOf(err) }, 'sending a push failed by a fault of ours')
      return refused(reasons.ownFault)
    })
    if (outcome.result === 'refused') logRefusal(platform, outcome.reason)
    return outcome
  }

  async function clear(address: PushAddress, clearing: Clearing): Promise<Outcome> {
    if (address.platform === 'android' && android) return android.clear(address.token, clearing)
    if (address.platform === 'ios' && ios) return ios.clear(address.token, clearing)
    return refused(noWayTo[address.platform])
  }

  async function deliver(address: PushAddress, message: PushMessage): Promise<Outcome> {
    if (address.platform === 'web' && web) return web.send(address.subscription, message)
    if (address.platform === 'android' && android) return android.send(address.token, message)
    if (address.platform === 'ios' && ios) return ios.send(address.token, message)
    return refused(noWayTo[address.platform])
  }

  /** With a wrong key every push is refused, and the first log line of each minute says so. */
  function logRefusal(platform: string, because: Reason) {
    const reason = sayReasons(languages[0], [because])
    const refusal = `${platform}: ${reason}`
    if (logged.has(refusal)) return
    logged.set(refusal, true)
    log.warn({ platform, reason }, 'a push was refused')
  }
}

const noWayTo = { web: reasons.noWayToWeb, android: reasons.noWayToAndroid, ios: reasons.noWayToIos }

/** A message or stack could quote what was sent. */
const nameOf = (fault: unknown) => (fault instanceof Error ? fault.name : typeof fault)
