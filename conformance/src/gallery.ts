import { picture } from './picture.ts'
import { Comment, Photo } from './shapes.ts'
import { shaped } from './statement.ts'
import type { World } from './world.ts'

/* Statements about the party's gallery share its photo. */

const photos = new WeakMap<World, Promise<number>>()
export const photoOf = (world: World): Promise<number> => {
  const known = photos.get(world) ?? upload(world).then(({ json }) => Number(Object(json).id))
  photos.set(world, known)
  return known
}
export const upload = async (world: World) => {
  const { guest, event_id } = await world.party()
  return shaped(await guest.call('POST', 'api/gallery/upload', { form: { event_id, image: picture() } }), Photo)
}
export const comment = async (world: World, json: Record<string, unknown>, by: 'guest' | 'organizer' = 'guest') =>
  (await world.party())[by].call('POST', 'api/gallery/comment', { json })
export const commented = async (world: World, text: string) => {
  const event_photo_id = await photoOf(world)
  const reply = shaped(await comment(world, { event_photo_id, event_photo_comment: text }), Comment, 201)
  return { event_photo_id, reply, id: Number(Object(reply.json).id) }
}
