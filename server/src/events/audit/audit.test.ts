import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { enter } from '../../../test/cast.ts'
import { bringIn, evening, party } from '../../../test/party.ts'
import { png } from '../../../test/pictures.ts'
import { refusal } from '../../../test/refused.ts'

const app = await openTestApp()
const { olivia, gus, asha, sam } = await party(app)
const image = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 100 }

test('every act of an organizer stands in the log, newest first, with who did it and whom it befell', async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  const of = (member: { id: number }) => ({ event_id, user_id: member.id })
  await bringIn(olivia, event_id, gus)
  await asha.api.events.askToJoin({ event_id })
  await olivia.api.events.rejectJoinRequest(of(asha))
  await olivia.api.events.invite({ event_id, user_ids: [sam.id] })
  await olivia.api.events.makeOrganizer(of(gus))
  const photo = await gus.api.gallery.uploadPhoto({ event_id, image })
  const sent = await gus.api.chats.saveMessage({ group_chat_id, message_content: 'x', attachments: [image] })
  await olivia.api.gallery.deletePhoto({ event_photo_id: Number(photo.id) })
  await olivia.api.chats.deleteAttachment({ message_attachment_id: sent.attachments[0]?.id ?? 0 })
  await olivia.api.chats.deleteMessage({ message_id: Number(sent.id) })
  const link = await olivia.api.links.makeLink({ event_id })
  await olivia.api.links.revokeLink({ link_id: link.id })
  await olivia.api.events.unmakeOrganizer(of(gus))
  await olivia.api.events.removeGuest(of(gus))
  await olivia.api.events.saveEvent(evening({ event_id }))
  await olivia.api.events.cancelEvent({ event_id })
  const { data } = await olivia.api.events.listAudit({ event_id, ...paged })
  const told = data.map(({ audit_act, user, about }) => [audit_act, user.id, about?.id ?? null])
  expect(told.toReversed()).toEqual([
    ['request.approved', olivia.id, gus.id],
    ['request.rejected', olivia.id, asha.id],
    ['user.invited', olivia.id, sam.id],
    ['organizer.made', olivia.id, gus.id],
    ['photo.deleted', olivia.id, gus.id],
    ['attachment.deleted', olivia.id, gus.id],
    ['message.deleted', olivia.id, gus.id],
    ['link.made', olivia.id, null],
    ['link.revoked', olivia.id, null],
    ['organizer.unmade', olivia.id, gus.id],
    ['guest.removed', olivia.id, gus.id],
    ['event.changed', olivia.id, null],
    ['event.cancelled', olivia.id, null],
  ])
})

test('the audit says nothing of what people do with their own, nor of refused acts', async () => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  const photo = await gus.api.gallery.uploadPhoto({ event_id, image })
  await gus.api.gallery.deletePhoto({ event_photo_id: Number(photo.id) })
  await refusal(gus.api.events.removeGuest({ event_id, user_id: olivia.id }))
  await gus.api.events.leaveEvent({ event_id })
  const { data } = await olivia.api.events.listAudit({ event_id, ...paged })
  expect(data.map(({ audit_act }) => audit_act)).toEqual(['request.approved'])
})

test('the log shows people as the reader may see them now: a hidden person looks like an erased account', async () => {
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  const [hidden, suspended, blocker, guest] = await Promise.all(
    (['sam', 'sam', 'sam', 'gus'] as const).map(name => enter(app, name)),
  )
  if (!hidden || !suspended || !blocker || !guest) throw new Error('Nobody came')
  const invited = [hidden, suspended, blocker].map(({ id }) => id)
  await olivia.api.events.invite({ event_id, user_ids: invited })
  await bringIn(olivia, event_id, guest)
  const set = (id: number, changes: object) => app.db.updateTable('users').set(changes).where('id', '=', id).execute()
  await set(hidden.id, { visible: false })
  await set(suspended.id, { status: 3 })
  await blocker.api.people.block({ user_id: olivia.id })
  // A guest's acts in the event carry their name, even after they left.
  await guest.api.people.block({ user_id: olivia.id })
  await olivia.api.events.removeGuest({ event_id, user_id: guest.id })
  const { data } = await olivia.api.events.listAudit({ event_id, ...paged })
  const shown = new Map(data.map(({ about }) => [about?.id, about]))
  for (const id of invited)
    expect(shown.get(id)).toEqual({
      id,
      user_first_name: 'Deleted',
      user_middle_name: null,
      user_last_name: 'user',
      user_username: `deleted~${id}`,
      user_visible: '0',
      user_avatar_url: expect.stringContaining('/media/initials/'),
    })
  expect(shown.get(guest.id)).toMatchObject({ user_username: guest.username })
  await set(hidden.id, { visible: true })
  const again = await olivia.api.events.listAudit({ event_id, ...paged })
  expect(again.data.find(({ about }) => about?.id === hidden.id)?.about?.user_username).toBe(hidden.username)
})

test.each([
  sql`update audit_entries set actor_id = ${gus.id}`,
  sql`delete from audit_entries`,
  sql`truncate audit_entries`,
])('the database refuses to change it', async change => {
  await expect(change.execute(app.db)).rejects.toThrow('the audit log is only ever added to')
})
