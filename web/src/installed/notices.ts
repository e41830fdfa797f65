import { queryClient } from '../app/cache/query.ts'
import { listen } from '../app/net/channel-listeners.ts'
import { unreadKey } from '../notifications/keys.ts'
import { isSafe } from '../uploads/upload.ts'
import { uploads } from '../uploads/upload-list.ts'
import { sayingOf } from './push-display.ts'

/**
 * Keeps the device's notifications in step with the open app: notifications it received do not ring again, those read
 * elsewhere are removed, and the app's badge counts unread notifications and photos that are not in an album yet.
 * Returns a function that stops this and leaves nothing behind.
 */
export const keepNotices = (): (() => void) => {
  const stopListening = listen(({ kind, payload }) => {
    if (kind === 'notification.created') {
      const { id, notification_title: title, notification_body: body } = payload
      navigator.serviceWorker?.controller?.postMessage({ heard: sayingOf({ id: String(id), title, body }) })
    }
    if (kind === 'notification.read') {
      const ids = new Set(payload.notification_ids.map(String))
      void withdraw(id => ids.has(id))
    }
  })
  const stopCounting = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === unreadKey[0]) void wearBadge()
  })
  const stopCountingUploads = uploads.follow(() => void wearBadge())
  return () => {
    stopCountingUploads()
    stopListening()
    stopCounting()
    void withdraw(() => true)
    void navigator.clearAppBadge?.().catch(() => {})
  }
}

const withdraw = async (which: (id: string) => boolean) => {
  const worker = await navigator.serviceWorker?.getRegistration()
  for (const shown of (await worker?.getNotifications()) ?? []) if (which(shown.data?.id)) shown.close()
}

const wearBadge = async () => {
  const { unread_count = 0 } = queryClient.getQueryData<{ unread_count: number }>(unreadKey) ?? {}
  const onTheirWay = uploads.get().filter(each => !isSafe(each)).length
  await navigator.setAppBadge?.(unread_count + onTheirWay).catch(() => {})
}
