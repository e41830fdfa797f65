import type { CDPSession, Page } from '@playwright/test'

/** Delivers pushes to the service worker as the browser would. */
export const pusher = async (cdp: CDPSession, url: string) => {
  const registered = new Promise<string>(resolve =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    }),
  )
  await cdp.send('ServiceWorker.enable')
  const registrationId = await registered
  return (message: object | undefined) =>
    cdp.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data: JSON.stringify(message) })
}

/** The title and the text of each notification on the screen. */
export const shown = (page: Page) =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.getRegistration()
    return ((await worker?.getNotifications()) ?? []).map(({ title, body }) => [title, body])
  })

/** A headless browser shows no notification to tap on: the worker receives the click event instead. */
export const tap = (tag: string) => `(async () => {
  const [notification] = await self.registration.getNotifications({ tag: '${tag}' })
  const event = new NotificationEvent('notificationclick', { notification })
  event.waitUntil = () => {}
  self.dispatchEvent(event)
})()`
