import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { later } from './later.ts'
import { bringIn, evening, party } from './party.ts'
import { png } from './pictures.ts'
import { notFound, refusal } from './refused.ts'

/* A repeated Idempotency-Key is answered with what the caller may read now. */

const app = await openTestApp()
const { olivia, gus, event, chatId: group_chat_id } = await party(app)
const image = new Blob([await png({ width: 24, height: 16 })])
const keyed = (idempotencyKey: string) => ({ idempotencyKey })

describe('a message', () => {
  test('no longer quotes deleted messages', async () => {
    const quoted = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'A secret of mine' })
    const message = { group_chat_id, message_content: 'Really?', message_reply_id: Number(quoted.id) }
    const send = () => gus.api.chats.saveMessage(message, keyed('quote'))
    const first = await send()
    expect(JSON.stringify(first)).toContain('A secret of mine')
    await olivia.api.chats.deleteMessage({ message_id: Number(quoted.id) })
    const again = await send()
    expect(again.id).toBe(first.id)
    expect(JSON.stringify(again)).not.toContain('A secret of mine')
    const { data } = await gus.api.chats.listMessages({ group_chat_id, page: 1, page_length: 1 })
    expect(again).toEqual(data[0])
  })

  test('is shown with its current text, or as its tombstone', async () => {
    const message = { group_chat_id, message_content: 'First words' }
    const send = () => gus.api.chats.saveMessage(message, keyed('edited'))
    const { id } = await send()
    await gus.api.chats.saveMessage({ group_chat_id, message_id: Number(id), message_content: 'Better words' })
    expect(await send()).toMatchObject({ id, message_content: 'Better words' })
    await olivia.api.chats.deleteMessage({ message_id: Number(id) })
    expect(await send()).toMatchObject({ id, message_content: '' })
  })
})

test('a comment is shown in its current state, and not at all once it is deleted', async () => {
  const photo = await gus.api.gallery.uploadPhoto({ event_id: event.id, image })
  const comment = { event_photo_id: Number(photo.id), event_photo_comment: 'First words' }
  const post = () => gus.api.gallery.saveComment(comment, keyed('comment'))
  const { id } = await post()
  await gus.api.gallery.saveComment({ event_photo_comment_id: id, event_photo_comment: 'Better words' })
  expect(await post()).toMatchObject({ id, event_photo_comment: 'Better words' })
  await olivia.api.gallery.deleteComment({ event_photo_comment_id: id })
  expect(await refusal(post())).toEqual(notFound('Comment not found!'))
})

test('a key that expires while its repeat waits makes a new request', async () => {
  const photo = await gus.api.gallery.uploadPhoto({ event_id: event.id, image })
  const comment = { event_photo_id: Number(photo.id), event_photo_comment: 'Twice' }
  const post = () => gus.api.gallery.saveComment(comment, keyed('ending'))
  const first = await post()
  const { rows } = await sql<{ key_hash: Buffer; fingerprint: Buffer; operation: string }>`
    delete from idempotency_keys where created_at = (select max(created_at) from idempotency_keys)
    returning operation, key_hash, fingerprint`.execute(app.db)
  const again = await app.db.transaction().execute(async tx => {
    for (const { operation, key_hash, fingerprint } of rows)
      await sql`insert into idempotency_keys (user_id, operation, key_hash, fingerprint, created_at)
        values (${gus.id}, ${operation}, ${key_hash}, ${fingerprint}, now() - interval '24 hours' + interval '1 second')`.execute(
        tx,
      )
    const posting = later(post())
    await sleep(1500)
    return { posting }
  })
  expect((await again.posting).id).not.toBe(first.id)
})

test('a photo is shown in its current state, and not at all once it is deleted', async () => {
  const made = new Blob([await png({ width: 24, height: 16, seed: 9 })])
  const asked = { event_id: event.id, image: made, event_photo_caption: 'First words' }
  const upload = () => gus.api.gallery.uploadPhoto(asked, keyed('photo'))
  const first = await upload()
  const photo = { event_photo_id: Number(first.id) }
  await gus.api.gallery.captionPhoto({ ...photo, event_photo_caption: 'Better words' })
  await olivia.api.gallery.likePhoto(photo)
  expect(await upload()).toEqual(await gus.api.gallery.readPhoto(photo))
  await olivia.api.gallery.deletePhoto(photo)
  expect(await refusal(upload())).toEqual(notFound('Event Photo not found!'))
})

test('an event is shown in its current state, by its maker’s current role', async () => {
  const asked = evening({ event_name: 'First words' })
  const save = () => gus.api.events.saveEvent(asked, keyed('event'))
  const { id: event_id } = await save()
  await gus.api.events.saveEvent(evening({ event_id, event_name: 'Better words' }))
  await gus.api.events.cancelEvent({ event_id })
  expect(await save()).toEqual(await gus.api.events.readEvent({ event_id }))
})

test('no user’s text is stored for repeats', async () => {
  const { rows } = await sql<{ reply: string }>`select reply::text from idempotency_keys`.execute(app.db)
  expect(rows.length).toBeGreaterThan(2)
  for (const { reply } of rows) expect(JSON.parse(reply)).toEqual({ id: expect.anything() })
  const deleted = await sql<{ kept: Buffer | null }>`
    select client_fingerprint as kept from messages where deleted_at is not null and client_key is not null`.execute(
    app.db,
  )
  expect(deleted.rows).toEqual([{ kept: null }])
})

describe('something deleted since, or no longer visible to its maker,', async () => {
  const rita = await enter(app, 'rita')
  const held = await olivia.api.events.saveEvent(evening())
  const event_id = held.id
  await bringIn(olivia, event_id, rita)
  await olivia.api.events.makeOrganizer({ event_id, user_id: rita.id })
  const hook = { event_id, webhook_url: 'https://party.example/replayed' }
  const said = { event_id, announcement_text: 'The bus waits' }
  const asked = { group_chat_id: held.group_chat_id, message_content: 'Which bus?', poll_choices: ['One', 'Two'] }
  const made = {
    webhook: () => rita.api.webhooks.makeWebhook(hook, keyed('hook')),
    announcement: () => rita.api.announcements.makeAnnouncement(said, keyed('said')),
    poll: () => rita.api.polls.makePoll(asked, keyed('asked')),
    link: () => rita.api.links.makeLink({ event_id }, keyed('link')),
    copy: () => rita.api.events.copyEvent({ event_id, event_starts_at: '2031-06-22T17:00:00Z' }, keyed('copy')),
    report: () =>
      rita.api.people.report({ report_type: 'event', report_id: event_id, report_reason: 'Loud' }, keyed('report')),
  }

  test('is refused with the operation’s own code', async () => {
    const webhook_id = (await made.webhook()).id
    const announcement_id = (await made.announcement()).id
    const message_id = Number((await made.poll()).id)
    const link_id = (await made.link()).id
    const copy = await made.copy()
    await made.report()
    await rita.api.webhooks.deleteWebhook({ webhook_id })
    await rita.api.announcements.withdrawAnnouncement({ announcement_id })
    await rita.api.chats.deleteMessage({ message_id })
    await rita.api.links.revokeLink({ link_id })
    await rita.api.events.deleteEvent({ event_id: copy.id })
    const again = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(made).map(async ([what, act]) => [
            what,
            await act().then(
              () => 200,
              error => error.status,
            ),
          ]),
        ),
      )
    expect(await again()).toEqual({ webhook: 404, announcement: 404, poll: 200, link: 200, copy: 404, report: 200 })
    await olivia.api.events.unmakeOrganizer({ event_id, user_id: rita.id })
    await olivia.api.events.removeGuest({ event_id, user_id: rita.id })
    expect(await again()).toEqual({ webhook: 404, announcement: 404, poll: 400, link: 400, copy: 404, report: 200 })
  })
})
