import type { TestApp } from './app.ts'
import { enter, type Member } from './cast.ts'
import { bringIn, evening } from './party.ts'
import { anew, png } from './pictures.ts'

/** A person for every relation to an event and to its contents. */
export const openCompany = async (app: TestApp) => ({
  organizer: await enter(app, 'olivia'),
  guest: await enter(app, 'gus'),
  author: await enter(app, 'ana'),
  asked: await enter(app, 'asha'),
  rejected: await enter(app, 'rita'),
  removed: await enter(app, 'remy'),
  stranger: await enter(app, 'sam'),
  otherOrganizer: await enter(app, 'gwen'),
})

export type Company = Record<Role, Member>
export type Role = keyof Awaited<ReturnType<typeof openCompany>>
export type Scene = Awaited<ReturnType<typeof openScene>>

const picture = new Blob([await png({ width: 24, height: 16, seed: 5 })])

/** A new event with the whole company, and functions that add content by the author. */
export const openScene = async (company: Company) => {
  const { organizer, guest, author, asked, rejected, removed, otherOrganizer } = company
  const { id: event_id, group_chat_id } = await organizer.api.events.saveEvent(evening())
  await bringIn(organizer, event_id, guest)
  await bringIn(organizer, event_id, author)
  await bringIn(organizer, event_id, removed)
  await organizer.api.events.removeGuest({ event_id, user_id: removed.id })
  await asked.api.events.askToJoin({ event_id })
  await rejected.api.events.askToJoin({ event_id })
  await organizer.api.events.rejectJoinRequest({ event_id, user_id: rejected.id })
  await otherOrganizer.api.events.saveEvent(evening({ event_name: 'Another party' }))

  const message = async () => {
    const sent = await author.api.chats.saveMessage({ group_chat_id, message_content: 'A message' })
    return { message_id: Number(sent.id) }
  }
  const attachment = async () => {
    const fields = { group_chat_id, message_content: 'With a picture', attachments: [await anew(picture)] }
    const { attachments } = await author.api.chats.saveMessage(fields)
    return { message_attachment_id: attachments[0]?.id ?? 0 }
  }
  const photo = async () => {
    const { id } = await author.api.gallery.uploadPhoto({ event_id, image: await anew(picture) })
    return { event_photo_id: Number(id) }
  }
  const comment = async (on?: { event_photo_id: number }) => {
    const { id } = await author.api.gallery.saveComment({ ...(on ?? (await photo())), event_photo_comment: 'Nice' })
    return { event_photo_comment_id: id }
  }
  return { event_id, group_chat_id, picture, message, attachment, photo, comment }
}
