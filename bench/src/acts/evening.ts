import { randomUUID } from 'node:crypto'
import { afterglow } from '../../../sdk/src/client.ts'
import { jpeg } from '../../../server/test/pictures.ts'
import type { Picked } from './hand.ts'

/** A photo as messengers send it: some 100 KB. */
const looks = { width: 1600, height: 1200, grain: 1 }

export const photosOf = (first: number, count: number): Promise<Picked[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      name: `photo-${first + at}.jpg`,
      mimeType: 'image/jpeg',
      buffer: Buffer.from(await jpeg({ ...looks, seed: first + at })),
    })),
  )

export type Evening = Awaited<ReturnType<typeof openEvening>>

/** An event with some photos and words, its host, a link to it, and somebody who asks to join. */
export const openEvening = async (origin: string) => {
  const register = async (first: string) => {
    const name = `${first.toLowerCase()}.${randomUUID().slice(0, 8)}`
    const { user, token } = await afterglow({ baseUrl: origin }).accounts.register({
      user_first_name: first,
      user_last_name: 'Acts',
      user_username: name,
      user_email: `${name}@example.com`,
      user_password: 'a long password',
      user_password_confirmation: 'a long password',
      user_login_option_type: 1,
      device_id: name,
      user_timezone: 'UTC',
      user_device_platform: 'web',
    })
    return { id: user.id, token, api: afterglow({ baseUrl: origin, token }) }
  }
  const [host, asker] = [await register('Olivia'), await register('Asha')]
  const event = await host.api.events.saveEvent({
    event_name: 'Lanterns',
    event_starts_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const { link_code } = await host.api.links.makeLink({ event_id: event.id })
  for (const { buffer } of await photosOf(1, 8))
    await host.api.gallery.uploadPhoto({ event_id: event.id, image: new Blob([new Uint8Array(buffer)]) })
  await host.api.chats.saveMessage({ group_chat_id: event.group_chat_id, message_content: 'Bring a jacket' })
  await asker.api.events.askToJoin({ event_id: event.id })
  return { host, event: event.id, code: link_code }
}
