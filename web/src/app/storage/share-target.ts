/*
 * Photos that another app passed on through the system's share sheet: the service worker receives them, because there
 * is no page yet.
 */

import { ours, publicPath } from '../public-path.ts'

export const sharePath = '/share'
const sharedCache = `${ours}.shared`
const place = (name: string) => `${sharePath}/${name}`

/** Answers the system's form by redirecting to where an event is chosen for it. */
export const keepShared = async (request: Request): Promise<Response> => {
  const form = await request.formData()
  const files = form.getAll('photos').filter(each => each instanceof File)
  await caches.delete(sharedCache)
  const cache = await caches.open(sharedCache)
  await Promise.all(
    files.map((file, at) => {
      const headers = { 'content-type': file.type || 'application/octet-stream' }
      return cache.put(place(`${at}/${encodeURIComponent(file.name)}`), new Response(file, { headers }))
    }),
  )
  return Response.redirect(publicPath + sharePath, 303)
}

export const sharedFiles = async (): Promise<File[]> => {
  const cache = await caches.open(sharedCache)
  const kept = await cache.matchAll()
  const keys = await cache.keys()
  return Promise.all(
    kept.map(async (reply, at) => {
      const blob = await reply.blob()
      const name = decodeURIComponent(new URL(keys[at]?.url ?? '').pathname.split('/').at(-1) ?? '')
      return new File([blob], name, { type: blob.type })
    }),
  )
}

/** They are in the queue, or no longer needed. */
export const forgetShared = () => globalThis.caches?.delete(sharedCache)
