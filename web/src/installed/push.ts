import { api } from '../app/net/client.ts'
import { pushPlace as place } from '../app/storage/push-owner.ts'
import { openStore } from '../app/store.ts'
import { canInstall } from './register-service-worker.ts'

/** The state of pushes in this browser: unsupported, blocked, off, on. */
export type PushState = 'impossible' | 'blocked' | 'off' | 'on'

/** Undefined until known. */
export const pushState = openStore<PushState | undefined>(undefined)

const readyMs = 15_000

/** The reason why pushes are impossible, found without asking anybody. */
export const pushHindrance = (): 'impossible' | 'blocked' | undefined => {
  if (!canInstall() || !('PushManager' in window) || !('Notification' in window)) return 'impossible'
  return Notification.permission === 'denied' ? 'blocked' : undefined
}

/** Determines the state, and tells the service again where to send pushes: browsers change the address silently. */
export const renewPush = async (userId: number) => {
  const hindrance = pushHindrance()
  if (hindrance) return pushState.set(hindrance)
  const wanted = localStorage.getItem(place) === String(userId) && Notification.permission === 'granted'
  pushState.set(wanted ? 'on' : 'off')
  if (!wanted) return
  try {
    await subscribe()
  } catch {
    // The next visit retries; until then the endpoint known to the service may still work.
  }
}

/** Asks the browser, so it must be called from a tap. Throws if the subscription fails. */
export const turnPushOn = async (userId: number) => {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return pushState.set(pushHindrance() ?? 'off')
  await subscribe()
  localStorage.setItem(place, String(userId))
  pushState.set('on')
}

export const turnPushOff = async () => {
  await api.notifications.registerDevice({})
  localStorage.removeItem(place)
  pushState.set('off')
  const worker = await navigator.serviceWorker.getRegistration()
  await (await worker?.pushManager.getSubscription())?.unsubscribe()
}

const subscribe = async () => {
  const { pushManager } = await ready()
  const { vapid_public_key } = await api.notifications.readRealtimeConfig()
  const wish = { userVisibleOnly: true, applicationServerKey: vapid_public_key }
  const subscription = await pushManager.subscribe(wish).catch(async (error: unknown) => {
    // The service's keys have changed since this browser subscribed.
    const old = await pushManager.getSubscription()
    if (!old) throw error
    await old.unsubscribe()
    return pushManager.subscribe(wish)
  })
  const { endpoint, keys } = subscription.toJSON()
  await api.notifications.registerDevice({
    push_endpoint: endpoint ?? '',
    push_p256dh: keys?.p256dh ?? '',
    push_auth: keys?.auth ?? '',
  })
}

const ready = () =>
  Promise.race([
    navigator.serviceWorker.ready,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no service worker')), readyMs)),
  ])
