import { expect, test } from 'vitest'
import { expectHeard, openAudience } from '../../test/audience.ts'
import { enter, type Member } from '../../test/cast.ts'
import { notificationsOf, openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { png } from '../../test/pictures.ts'
import { invalid, notFound, refusal } from '../../test/refused.ts'
import { takeMessagesBack } from './account-deletion.ts'

const { app, quiet } = await openNotifiedApp()
const [olivia, gus, ana] = [await enter(app, 'olivia'), await enter(app, 'gus'), await enter(app, 'ana')]
const image = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 50 }

const hold = async () => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [gus, ana]) await bringIn(olivia, event_id, guest)
  return { event_id, group_chat_id }
}
const say = async (by: Member, group_chat_id: number, message_content: string, more: Record<string, unknown> = {}) =>
  by.api.chats.saveMessage({ group_chat_id, message_content, ...more })
const messagesFor = async (viewer: Member, group_chat_id: number) =>
  (await viewer.extra.chats.listMessages({ group_chat_id, ...paged })).data
const contents = async (viewer: Member, group_chat_id: number) =>
  (await messagesFor(viewer, group_chat_id)).map(({ message_content }) => message_content)
const idOf = ({ id }: { id: string }) => ({ message_id: Number(id) })

test('a hidden message keeps its place, and its content is for its author and organizers alone', async () => {
  const { group_chat_id } = await hold()
  const nasty = await say(gus, group_chat_id, 'A nasty word', { attachments: [image] })
  const message = idOf(nasty)
  await ana.api.chats.reactToMessage({ ...message, message_reaction: '😱' })
  await say(ana, group_chat_id, 'What?', { message_reply_id: message.message_id })
  const before = await messagesFor(ana, group_chat_id)
  await olivia.api.chats.hideMessage(message)
  await olivia.api.chats.hideMessage(message)
  for (const viewer of [gus, olivia]) {
    const [reply, hidden] = await messagesFor(viewer, group_chat_id)
    expect(hidden).toMatchObject({ message_content: 'A nasty word', extra: { hidden: true } })
    expect(hidden?.attachments).toHaveLength(1)
    expect(reply?.replied_to?.message_content).toBe('')
  }
  const [reply, hidden] = await messagesFor(ana, group_chat_id)
  expect(hidden).toMatchObject({ message_content: '', attachments: [], reactions: [] })
  expect(hidden?.extra).toMatchObject({ hidden: true, my_reactions: [], may: { react: false, hide: false } })
  expect(reply?.replied_to?.message_content).toBe('')
  expect((await fetch(nasty.attachments[0]?.message_attachment_url ?? '')).status).toBe(404)
  expect((await ana.api.chats.listAttachments({ group_chat_id, ...paged })).data).toEqual([])

  await olivia.api.chats.unhideMessage(message)
  const after = await messagesFor(ana, group_chat_id)
  const plain = (list: typeof before) =>
    list.map(({ updated_at: _, attachments, replied_to, ...rest }) => ({
      ...rest,
      quote: replied_to?.message_content,
      pictures: attachments.length,
    }))
  expect(plain(after)).toEqual(plain(before))
  expect((await ana.api.chats.listAttachments({ group_chat_id, ...paged })).data).toHaveLength(1)
})

test('a hidden message is not the latest, not found, not unread, and takes no reactions or replies', async () => {
  const { group_chat_id } = await hold()
  await say(gus, group_chat_id, 'Harmless')
  const nasty = idOf(await say(gus, group_chat_id, 'Unspeakable'))
  await olivia.api.chats.hideMessage(nasty)
  const chat = await ana.extra.chats.readChat({ group_chat_id })
  expect([chat.latest_message?.message_content, chat.extra?.unread_count]).toEqual(['Harmless', 1])
  expect((await ana.api.chats.searchMessages({ text: 'unspeakable', ...paged })).data).toEqual([])
  expect(await refusal(ana.api.chats.reactToMessage({ ...nasty, message_reaction: '🎉' }))).toEqual(
    notFound('Message not found!'),
  )
  expect(await refusal(say(ana, group_chat_id, 'Re', { message_reply_id: nasty.message_id }))).toEqual(
    invalid('message_reply_id', 'The selected message reply id is invalid.'),
  )
  expect((await ana.api.chats.markSeen(nasty)).unread_count).toBe(0)
  await olivia.api.chats.unhideMessage(nasty)
  expect((await ana.api.chats.readChat({ group_chat_id })).latest_message?.message_content).toBe('Unspeakable')
  expect((await ana.api.chats.searchMessages({ text: 'unspeakable', ...paged })).data).toHaveLength(1)
})

test('a hidden message may be edited by its author, which nobody else sees', async () => {
  const { group_chat_id } = await hold()
  const nasty = idOf(await say(gus, group_chat_id, 'A nasty word'))
  await olivia.api.chats.hideMessage(nasty)
  await say(gus, group_chat_id, `Sorry @${ana.username}`, { ...nasty, attachments: [image] })
  expect(await contents(ana, group_chat_id)).toEqual([''])
  expect((await ana.api.chats.listAttachments({ group_chat_id, ...paged })).data).toEqual([])
  await quiet()
  expect((await notificationsOf(ana)).map(({ notification_kind }) => notification_kind)).not.toContain('mention')
})

test('the channel tells everybody of a hidden message, and its content to those who see it', async () => {
  const { group_chat_id } = await hold()
  const nasty = idOf(await say(gus, group_chat_id, 'A nasty word'))
  const audience = await openAudience(app, { olivia, gus, ana })
  const heard = await audience.heardOf(() => olivia.api.chats.hideMessage(nasty))
  const told = ['message.updated', 'group.updated'] as const
  expectHeard(heard, { olivia: [...told], gus: [...told], ana: [...told] })
  const contentTold = (name: 'olivia' | 'gus' | 'ana') =>
    heard[name].flatMap(event => (event.kind === 'message.updated' ? event.payload.message_content : []))
  expect([contentTold('olivia'), contentTold('gus'), contentTold('ana')]).toEqual([
    ['A nasty word'],
    ['A nasty word'],
    [''],
  ])
  const edited = await audience.heardOf(() => say(gus, group_chat_id, 'Still nasty', nasty))
  expect(JSON.stringify(edited.ana)).not.toContain('nasty')
})

test('the notifications of a hidden message are withdrawn', async () => {
  const { event_id, group_chat_id } = await hold()
  const nasty = idOf(await say(gus, group_chat_id, `@${ana.username} nasty`))
  await quiet()
  const kinds = async () =>
    (await notificationsOf(ana)).filter(one => one.event_id === event_id).map(one => one.notification_kind)
  expect(await kinds()).toContain('mention')
  await olivia.api.chats.hideMessage(nasty)
  expect(await kinds()).not.toContain('mention')
})

test('a hidden message’s picture in the album stays there under a new URL', async () => {
  const { event_id, group_chat_id } = await hold()
  const sent = await say(gus, group_chat_id, 'Look', { attachments: [image] })
  const photo = await gus.api.chats.addToAlbum({ message_attachment_id: sent.attachments[0]?.id ?? 0 })
  await olivia.api.chats.hideMessage(idOf(sent))
  expect((await fetch(photo.event_photo_url)).status).toBe(404)
  const { data } = await ana.api.gallery.listPhotos({ event_id, ...paged })
  expect((await fetch(data[0]?.event_photo_url ?? '')).status).toBe(200)
})

test('a hidden message is deleted with its author’s account', async () => {
  const { event_id, group_chat_id } = await hold()
  const rita = await enter(app, 'rita')
  await bringIn(olivia, event_id, rita)
  const nasty = await say(rita, group_chat_id, 'A nasty word', { attachments: [image] })
  await olivia.api.chats.hideMessage(idOf(nasty))
  await takeMessagesBack(app.db, rita.id)
  const [left] = await messagesFor(olivia, group_chat_id)
  expect(left).toMatchObject({ message_content: '', attachments: [], extra: { deleted: true } })
})
