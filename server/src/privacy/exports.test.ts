import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter, type Member } from '../../test/cast.ts'
import { eraseDue } from '../../test/erase-due.ts'
import { filmTool, hasFfmpeg, iphoneMov } from '../../test/films.ts'
import { needing } from '../../test/needing.ts'
import { notificationsOf, openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { png } from '../../test/pictures.ts'
import { exported } from '../../test/read-export.ts'
import { notFound, refusal, says } from '../../test/refused.ts'
import { ffmpeg } from '../../test/tools.ts'
import { slices } from '../slices.ts'
import { expireExports } from './exports.ts'

const { app, quiet } = await openNotifiedApp({ video: hasFfmpeg ? await filmTool() : undefined })

/** Somebody's activity among that of others, each with distinctive words everywhere. */
const lives = async () => {
  const [gus, olivia] = [await enter(app, 'gus'), await enter(app, 'olivia')]
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening({ event_name: 'By olivia' }))
  await bringIn(olivia, event_id, gus)
  await gus.api.events.saveEvent(evening({ event_name: 'By gus', event_description: 'gus-word' }))
  const pictures = new Map<number, Buffer>()
  for (const [at, member, word] of [
    [1, gus, 'gus-word'],
    [2, olivia, 'olivia-word'],
  ] as const) {
    const picture = await png({ width: 30, height: 20, seed: at })
    pictures.set(member.id, picture)
    const { id: message } = await member.api.chats.saveMessage({
      group_chat_id,
      message_content: `${word} in a message`,
      attachments: [new Blob([await png({ width: 30, height: 20, seed: at + 10 })])],
    })
    await member.api.chats.reactToMessage({ message_id: Number(message), message_reaction: '🎉' })
    const { id } = await member.api.gallery.uploadPhoto({
      event_id,
      image: new Blob([picture]),
      event_photo_caption: `${word} in a caption`,
    })
    await member.api.gallery.likePhoto({ event_photo_id: Number(id) })
    const comment = await member.api.gallery.saveComment({
      event_photo_id: Number(id),
      event_photo_comment: `${word} in a comment`,
    })
    await member.api.gallery.reactToComment({ event_photo_comment_id: comment.id, comment_reaction: '🎉' })
    await member.api.people.report({ report_type: 'event', report_id: event_id, report_reason: `${word} in a report` })
  }
  const sam = await enter(app, 'sam')
  await gus.api.people.befriend({ user_id: olivia.id })
  await olivia.api.people.befriend({ user_id: gus.id })
  await gus.api.people.befriend({ user_id: sam.id })
  const ana = await enter(app, 'ana')
  await gus.api.people.block({ user_id: ana.id })
  await gus.api.chats.muteChat({ group_chat_id })
  await quiet()
  return { gus, olivia, pictures }
}

test('an export holds everything of one’s own, and nothing of others’', async () => {
  const { gus, olivia, pictures } = await lives()
  const { rowsOf, files, everything } = await exported(gus)

  expect(rowsOf('account')).toMatchObject([{ id: gus.id, email: gus.email, username: gus.username }])
  expect(rowsOf('messages')).toMatchObject([{ content: 'gus-word in a message', attached_media: [expect.any(Number)] }])
  expect(rowsOf('photos')).toMatchObject([{ caption: 'gus-word in a caption', likes_count: 1 }])
  expect(rowsOf('comments')).toMatchObject([{ text: 'gus-word in a comment' }])
  expect(rowsOf('reports')).toMatchObject([{ reason: 'gus-word in a report' }])
  expect(rowsOf('events').map(({ name }) => name)).toEqual(['By olivia', 'By gus'])
  expect(rowsOf('events-opened')).toMatchObject([{ name: 'By gus', description: 'gus-word' }])
  expect(rowsOf('join-requests')).toMatchObject([{ event: 'By olivia', status: 'approved' }])
  expect(rowsOf('friends')).toMatchObject([{ username: olivia.username }])
  expect(rowsOf('friend-requests')).toMatchObject([{ direction: 'sent' }])
  for (const name of ['blocked', 'likes', 'comment-reactions', 'message-reactions', 'devices'])
    expect([name, rowsOf(name).length]).toEqual([name, 1])
  expect(rowsOf('chats-read')).toMatchObject([{ muted_at: expect.any(String) }])
  expect(rowsOf('notifications').length).toBeGreaterThan(0)

  const media = [...files].filter(([name]) => name.startsWith('media/'))
  const sums = media.map(([, bytes]) => createHash('sha256').update(bytes).digest('hex'))
  const sumOf = (picture: Buffer | undefined) =>
    createHash('sha256')
      .update(picture ?? '')
      .digest('hex')
  expect(media.map(([name]) => name)).toEqual([expect.stringMatching(/\.png$/), expect.stringMatching(/\.png$/)])
  expect(sums).toContain(sumOf(pictures.get(gus.id)))
  expect(sums).not.toContain(sumOf(pictures.get(olivia.id)))

  // Olivia's words are only included if the service notified gus of them.
  const untold = [...files].filter(([name]) => name !== 'notifications.json').map(([, bytes]) => String(bytes))
  expect(untold.join('\n')).not.toContain('olivia-word')
  expect(untold.join('\n')).not.toContain(olivia.email)
  for (const secret of [gus.token, gus.password, 'argon2']) expect(everything).not.toContain(secret)
})

test('an export names a private event only as long as one may see it', async () => {
  const [gus, olivia] = [await enter(app, 'gus'), await enter(app, 'olivia')]
  const privately = await olivia.api.events.saveEvent(evening({ event_name: 'Before', event_visibility: 3 }))
  await olivia.api.events.invite({ event_id: privately.id, user_ids: [gus.id] })
  const { data } = await gus.api.events.listInvitations({ page: 1, page_length: 5 })
  await gus.api.events.acceptInvitation({ invitation_id: data[0]?.id ?? 0 })
  const image = new Blob([await png({ width: 30, height: 20, seed: 901 })])
  await gus.api.gallery.uploadPhoto({ event_id: privately.id, image })
  const opened = await gus.api.events.saveEvent(evening({ event_name: 'Opened' }))
  await bringIn(gus, opened.id, olivia)
  for (const { api } of [gus, olivia]) await api.events.handOver({ event_id: opened.id, user_id: olivia.id })

  const within = await exported(gus)
  expect(within.rowsOf('events').map(({ name }) => name)).toEqual(['Before', 'Opened'])
  expect(within.rowsOf('photos')).toMatchObject([{ event: 'Before' }])
  expect(within.rowsOf('events-opened')).toMatchObject([{ name: 'Opened' }])

  for (const event_id of [privately.id, opened.id]) await gus.api.events.leaveEvent({ event_id })
  for (const event_id of [privately.id, opened.id])
    await olivia.api.events.saveEvent(
      evening({ event_id, event_name: 'Afterwards', event_description: 'Afterwards', event_visibility: 3 }),
    )
  await sql`update account_exports set created_at = now() - interval '2 hours'`.execute(app.db)
  const { files, rowsOf } = await exported(gus)
  expect(rowsOf('events')).toMatchObject([
    { id: privately.id, name: null, starts_at: null, ended_at: expect.any(String) },
    { id: opened.id, name: null },
  ])
  expect(rowsOf('photos')).toMatchObject([{ event: null }])
  expect(rowsOf('events-opened')).toMatchObject([{ id: opened.id, name: null, description: null }])
  for (const bytes of files.values()) expect(String(bytes)).not.toContain('Afterwards')
})

test('an export says what others think of one’s photos, and who comes by one’s links, as long as one is in the event', async () => {
  const [olivia, rita, gus] = [await enter(app, 'olivia'), await enter(app, 'rita'), await enter(app, 'gus')]
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  for (const guest of [rita, gus]) await bringIn(olivia, event_id, guest)
  await olivia.api.events.makeOrganizer({ event_id, user_id: rita.id })
  const { link_code: code } = await rita.api.links.makeLink({ event_id })
  const { id } = await rita.api.gallery.uploadPhoto({
    event_id,
    image: new Blob([await png({ width: 24, height: 16 })]),
  })
  await gus.api.gallery.likePhoto({ event_photo_id: Number(id) })
  await app.as().links.joinByLink({ code, user_first_name: 'Dora' })
  const counts = async () => {
    const { rowsOf } = await exported(rita)
    await sql`delete from account_exports where user_id = ${rita.id}`.execute(app.db)
    const [photo] = rowsOf('photos')
    return [photo?.likes_count, photo?.comments_count, rowsOf('links-made')[0]?.uses]
  }
  expect(await counts()).toEqual([1, 0, 1])
  await rita.api.events.leaveEvent({ event_id })
  expect(await counts()).toEqual([null, null, null])
})

test('every table that names a person is in it, or is known to hold nothing to take along', async () => {
  const without: Record<string, string> = {
    account_exports: 'the exports themselves',
    account_transfers: 'secrets',
    album_selections: 'what was chosen for a download, for a day',
    events: 'told in a part of its own',
    idempotency_keys: 'repeats of requests, for a day',
    known_places: 'hashes, from which nothing can be read',
    mailed_codes: 'secrets',
    mails_asked: 'counts, for a day',
    media: 'the files themselves',
    return_keys: 'secrets',
    return_requests: 'secrets, and for a while the name that somebody came by',
    stored_bytes: 'a count of those files',
    changes: 'numbers alone, for a week',
    user_words: 'names in another form',
    guest_lines: 'names in another form',
    marks_away: 'likes, reactions and votes of people who were sent away, for a day',
    photo_decisions: 'numbers and what photos hold, for a day',
  }
  const { rows } = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and column_name ~ '(^|_)(user|owner|reporter|asker|asked|blocker|blocked|friend)_id$|^taken_by$|^created_by$'
      and table_name in (select tablename from pg_tables where schemaname = 'public')`.execute(app.db)
  const told = new Set(slices.flatMap(({ exports = [] }) => exports).flatMap(({ tables }) => tables))
  expect(rows.map(({ name }) => name).filter(name => !told.has(name) && !(name in without))).toEqual([])
})

test('it is told by a notification, and another is made only after an hour, in its place', async () => {
  const gus = await enter(app, 'gus')
  const [first, second] = await Promise.all([gus.api.privacy.exportAccount(), gus.api.privacy.exportAccount()])
  expect(second.id).toBe(first.id)
  expect(first).toMatchObject({ export_state: 'waiting', export_url: null, export_bytes: null })
  await exported(gus)
  await quiet()
  expect(await notificationsOf(gus)).toMatchObject([
    { notification_kind: 'export_ready', notification_title: 'Your data is ready', subject_id: first.id },
  ])
  expect((await gus.api.privacy.exportAccount()).id).toBe(first.id)
  await sql`update account_exports set created_at = now() - interval '2 hours' where id = ${first.id}`.execute(app.db)
  const next = await gus.api.privacy.exportAccount()
  expect(next.id).not.toBe(first.id)
  const old = await gus.api.privacy.readExport({ account_export_id: first.id })
  await exported(gus)
  const { data } = await gus.api.privacy.listExports({ page: 1, page_length: 10 })
  expect(data.map(({ id }) => id)).toEqual([next.id])
  expect(await refusal(gus.api.privacy.readExport({ account_export_id: first.id }))).toEqual(
    notFound('Export not found!'),
  )
  expect((await fetch(old.export_url ?? '')).status).toBe(404)
})

test('it needs room as an upload does, in its owner’s bytes and on the disk, and the one before makes room for it', async () => {
  const gus = await enter(app, 'gus')
  const { id: event_id } = await gus.api.events.saveEvent(evening())
  const image = new Blob([await png({ width: 30, height: 20, seed: 400 })])
  await gus.api.gallery.uploadPhoto({ event_id, image })
  const personBytesMax = 100 * 1024 ** 3
  const leave = (room: number) =>
    sql`update stored_bytes set bytes = ${personBytesMax - room} where user_id = ${gus.id}`.execute(app.db)
  const before = await sql<{ bytes: number }>`select bytes from stored_bytes where user_id = ${gus.id}`.execute(app.db)
  await leave(image.size - 1)
  expect(await refusal(gus.api.privacy.exportAccount())).toEqual(
    says('You have used all the space that you have for files.'),
  )
  await leave(image.size)
  const { id } = await exported(gus)
  await sql`update account_exports set created_at = now() - interval '2 hours' where id = ${id}`.execute(app.db)
  await leave(0)
  expect((await exported(gus)).id).toBeGreaterThan(id)
  await sql`update stored_bytes set bytes = ${before.rows[0]?.bytes} where user_id = ${gus.id}`.execute(app.db)

  const low = await openTestApp({ freeBytesMin: Number.MAX_SAFE_INTEGER })
  expect(await refusal((await enter(low, 'asha')).api.privacy.exportAccount())).toMatchObject({ status: 503 })
})

test('nobody else finds it, and its link dies when it expires or its owner leaves', async () => {
  const [gus, sam] = [await enter(app, 'gus'), await enter(app, 'sam')]
  const { id, ready } = await exported(gus)
  expect(await refusal(sam.api.privacy.readExport({ account_export_id: id }))).toEqual(notFound('Export not found!'))

  const listed = async ({ api }: Member) => (await api.privacy.listExports({ page: 1, page_length: 10 })).data
  expect([(await listed(gus)).map(one => one.id), await listed(sam)]).toEqual([[id], []])

  await sql`update account_exports set expires_at = now() where id = ${id}`.execute(app.db)
  expect(await listed(gus)).toEqual([])
  expect(await refusal(gus.api.privacy.readExport({ account_export_id: id }))).toEqual(notFound('Export not found!'))
  await expireExports(app.db)
  expect((await fetch(ready.export_url ?? '')).status).toBe(404)

  const samExport = await exported(sam)
  expect(await app.storage.has(samExport.sha256)).toBe(true)
  await sam.api.privacy.deleteAccount({ user_password: sam.password })
  await sql`update users set erase_at = now() where id = ${sam.id}`.execute(app.db)
  await eraseDue(app)
  expect((await fetch(samExport.ready.export_url ?? '')).status).toBe(404)
  // The file itself does not wait for the sweeper.
  expect(await app.storage.has(samExport.sha256)).toBe(false)
})

needing(ffmpeg).test.each(['album', 'chat'])(
  'a film of the %s is in it as it was uploaded, beside its still',
  async where => {
    const gus = await enter(app, 'gus')
    const { id: event_id, group_chat_id } = await gus.api.events.saveEvent(evening())
    const [film, still] = [await iphoneMov(), await png({ width: 30, height: 20, seed: 77 })]
    const video = new Blob([new Uint8Array(film)])
    const image = new Blob([still])
    if (where === 'album') await gus.api.gallery.uploadPhoto({ event_id, image, video })
    else await gus.api.chats.sendVideo({ group_chat_id, message_content: 'Look', image, video })
    const { files, rowsOf } = await exported(gus)
    const media = [...files].filter(([name]) => name.startsWith('media/'))
    expect(media.map(([name]) => name)).toEqual([expect.stringMatching(/\.png$/), expect.stringMatching(/\.mov$/)])
    expect(media.map(([, bytes]) => bytes.equals(film) || bytes.equals(still))).toEqual([true, true])
    if (where === 'album') expect(rowsOf('photos')).toMatchObject([{ video: expect.any(String), video_ms: 1000 }])
    else expect(rowsOf('messages')).toMatchObject([{ content: 'Look', attached_media: [expect.any(Number)] }])
  },
)

test('an export holds what its owner brought to an event that was deleted since', async () => {
  const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  const [his, shown, hers] = await Promise.all([901, 902, 903].map(seed => png({ width: 30, height: 20, seed })))
  if (!his || !shown || !hers) throw new Error('no pictures')
  await gus.api.gallery.uploadPhoto({ event_id, image: new Blob([his]) })
  await olivia.api.gallery.uploadPhoto({ event_id, image: new Blob([hers]) })
  const sent = { group_chat_id, message_content: 'Look', attachments: [new Blob([shown])] }
  await gus.api.chats.saveMessage(sent)
  await olivia.api.events.deleteEvent({ event_id })
  const { files } = await exported(gus)
  const holds = (picture: Buffer) => [...files.values()].some(file => file.equals(picture))
  expect([his, shown, hers].map(holds)).toEqual([true, true, false])
})
