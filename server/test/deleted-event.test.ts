import { operations } from '@afterglow/contract/operations'
import type { AnyRoute } from '@afterglow/contract/route'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { allRows } from './all-rows.ts'
import { openTestApp } from './app.ts'
import { enter, type Member } from './cast.ts'
import { maskedText } from './masked.ts'
import { quick } from './notified.ts'
import { bringIn, evening } from './party.ts'
import { anew, png } from './pictures.ts'

/* Every operation answers an id of a deleted event, or of anything in it, as if it had never existed. */

const app = await openTestApp({}, { timing: quick })
// Makes an id distinguishable from every other number of a reply.
for (const table of ['events', 'group_chats', 'photos', 'comments', 'messages', 'attachments', 'event_links'])
  await sql`alter table ${sql.table(table)} alter id restart with 700000001`.execute(app.db)
const [olivia, gus, sam] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'sam')])
const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
await bringIn(olivia, event_id, gus)
const image = () => png({ width: 24, height: 16 }).then(bytes => anew(new Blob([bytes])))
const photo = await gus.api.gallery.uploadPhoto({ event_id, image: await image() })
const comment = await gus.api.gallery.saveComment({ event_photo_id: Number(photo.id), event_photo_comment: 'Nice' })
const sent = { group_chat_id, message_content: 'Look', attachments: [await image()] }
const message = await gus.api.chats.saveMessage(sent)
const link = await olivia.api.links.makeLink({ event_id })
await olivia.api.events.deleteEvent({ event_id })

const never = 999_999_999
/** An id of something in the event, by the field that takes it. */
const ids: Record<string, number> = {
  event_id,
  group_chat_id,
  event_photo_id: Number(photo.id),
  event_photo_comment_id: comment.id,
  message_id: Number(message.id),
  message_attachment_id: message.attachments[0]?.id ?? never,
  link_id: link.id,
}
/** Other fields that these operations need. */
const others: Record<string, unknown> = {
  page: 1,
  page_length: 10,
  user_id: sam.id,
  event_photo_comment: 'Nice',
  comment_reaction: '🎉',
  message_content: 'Hello',
  message_reaction: '🎉',
  announcement_text: 'The bus leaves',
  text: 'Hello',
  name: 'gus',
  report_reason: 'Rude',
  report_type: 'user',
  report_id: sam.id,
  photos_max: 5,
  webhook_url: 'https://receiver.example/hook',
  webhook_kinds: ['photo.created'],
  level: 'all',
  chat_color: 1,
  event_name: 'Again',
  event_starts_at: '2031-06-21T18:00:00Z',
  sha256: ['a'.repeat(64)],
  checksums: ['a'.repeat(64)],
  muted: true,
  user_ids: [sam.id],
  event_photo_ids: [1],
}

const fieldsOf = ({ input }: AnyRoute) => {
  const shape = (input as unknown as { shape?: Record<string, z.ZodType> }).shape ?? {}
  return Object.entries(shape).map(([name, field]) => ({ name, required: !field.safeParse(undefined).success }))
}
const takes = operations.flatMap(operation =>
  fieldsOf(operation)
    .filter(({ name }) => name in ids)
    .map(({ name }) => [operation.name, name, operation] as const),
)

/** The reply when this field has the id, and every other required field a valid value. */
const ask = async (by: Member, operation: AnyRoute, named: string, id: number) => {
  const [method, pattern] = operation.at[0] as readonly [string, string]
  const rest = new Map<string, unknown>()
  for (const { name, required } of fieldsOf(operation)) {
    if (name === named) rest.set(name, id)
    else if (required) rest.set(name, name in ids ? ids[name] : others[name])
  }
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, field) => {
    const value = String(rest.get(field))
    rest.delete(field)
    return value
  })
  const inQuery = method === 'GET' || method === 'DELETE'
  const query = inQuery ? `?${new URLSearchParams([...rest].map(([field, value]) => [field, String(value)]))}` : ''
  const reply = await fetch(`${app.url}/${path}${query}`, {
    method,
    headers: { authorization: `Bearer ${by.token}`, ...(!inQuery && { 'content-type': 'application/json' }) },
    ...(!inQuery && { body: JSON.stringify(Object.fromEntries(rest)) }),
  })
  return { status: reply.status, body: maskedText(await reply.text(), new Map([[id, '<asked for>']])) }
}

/** Only the owner can restore it, or delete it again without effect. */
const mayReach = (name: string, by: Member) => ['restoreEvent', 'deleteEvent'].includes(name) && by === olivia

test.each(takes)(
  '%s reveals nothing about a deleted event’s %s, and changes nothing',
  async (name, field, operation) => {
    const before = await allRows(app)
    for (const by of [olivia, gus, sam]) {
      if (mayReach(name, by)) continue
      const ofNothing = await ask(by, operation, field, never)
      expect(ofNothing.status, String(ofNothing.body)).toBeGreaterThanOrEqual(200)
      expect([by.username, await ask(by, operation, field, ids[field] as number)]).toEqual([by.username, ofNothing])
    }
    expect(await allRows(app)).toEqual(before)
  },
)

test('every operation that takes an event’s id is tried', () => {
  expect(takes.filter(([, field]) => field === 'event_id').length).toBeGreaterThan(30)
})
