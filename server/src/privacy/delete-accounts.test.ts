import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { enter, type Member } from '../../test/cast.ts'
import { columnsOfWords, columnsWith, unexported, wordless } from '../../test/columns-of-words.ts'
import { eraseDue } from '../../test/erase-due.ts'
import { filmTool, hasFfmpeg, iphoneMov, mp4 } from '../../test/films.ts'
import { needing } from '../../test/needing.ts'
import { openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { exported } from '../../test/read-export.ts'
import { ffmpeg } from '../../test/tools.ts'
import { brokenInvariants } from '../invariants/invariants.ts'
import { openDisk } from '../platform/media/storage/disk.ts'
import { sweep } from '../platform/media/storage/sweep.ts'
import { fileSources } from '../slices.ts'

const { app, quiet } = await openNotifiedApp({ video: hasFfmpeg ? await filmTool() : undefined })

/** Every row of every table in any schema, as text. */
const dump = async (): Promise<string[]> => {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(app.db)
  const lines: string[] = []
  for (const { schema, name } of tables) {
    const { rows } = await sql<{
      line: string
    }>`select t::text as line from ${sql.table(`${schema}.${name}`)} t`.execute(app.db)
    lines.push(...rows.map(({ line }) => `${name}: ${line}`))
  }
  return lines
}
const placesOf = async (planted: string) => {
  const wanted = [planted.toLowerCase(), Buffer.from(planted).toString('hex')]
  return (await dump()).filter(line => wanted.some(one => line.toLowerCase().includes(one)))
}

const storage = await openDisk(join(app.dataDir, 'media'), join(app.dataDir, 'sweeping'))

/** Files of the data directory that contain it, after the sweeper has run. */
const filesWith = async (planted: string) => {
  await sweep(app.db, storage, fileSources, { graceMs: -3_600_000 })
  const found: string[] = []
  for (const entry of await readdir(app.dataDir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile() && (await readFile(file)).includes(planted)) found.push(file)
  }
  return found
}

const photoWith = async (planted: string) =>
  new Blob([
    await sharp({ create: { width: 64, height: 48, channels: 3, background: '#2a6' } })
      .withExif({
        IFD0: { ImageDescription: planted },
        IFD3: { GPSLatitude: '41/1 23/1 0/1', GPSLatitudeRef: 'N', GPSLongitude: '2/1 10/1 0/1', GPSLongitudeRef: 'E' },
      })
      .jpeg()
      .toBuffer(),
  ])

/** Puts a word into every field that a person can fill. */
const live = async (planted: string, said: string) => {
  const [olivia, sam] = [await enter(app, 'olivia'), await enter(app, 'sam')]
  const username = `gus.${planted}`.slice(0, 60)
  const password = `${planted} as a password`
  const registered = await app.as().accounts.register(
    {
      user_first_name: `Gus ${planted}`,
      user_middle_name: planted,
      user_last_name: `${planted}son`,
      user_username: username,
      user_email: `${planted}@example.com`,
      user_password: password,
      user_password_confirmation: password,
      user_login_option_type: 1,
      user_login_option_unique_identifier: `${planted}-identifier`,
      device_id: `phone of ${planted}`,
      user_timezone: 'Europe/Madrid',
      user_device_platform: planted.slice(0, 30),
    },
    { idempotencyKey: `key of ${planted}` },
  )
  const { token } = registered
  const gus: Member = {
    id: registered.user.id,
    username,
    email: `${planted}@example.com`,
    password,
    token,
    api: app.as(token),
    extra: app.withExtra(token),
  }
  await gus.api.accounts.stageAvatar({ profile_picture: await photoWith(planted) })
  const names = { user_first_name: `Gus ${planted}`, user_last_name: `${planted}son` }
  await gus.api.accounts.updateAccount({
    ...names,
    user_middle_name: planted,
    user_email: gus.email,
    user_username: username,
    profile_picture_updated: true,
  })
  await gus.api.accounts.stageAvatar({ profile_picture: await photoWith(`${planted} again`) })
  await gus.api.notifications.registerDevice({ push_token: `${planted}-push-token` })

  await gus.api.people.befriend({ user_id: olivia.id })
  await olivia.api.people.befriend({ user_id: gus.id })
  await gus.api.people.befriend({ user_id: sam.id })
  await gus.api.people.report({ report_type: 'user', report_id: sam.id, report_reason: `About ${planted}` })

  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, event_id, gus)
  const waiting = await olivia.api.events.saveEvent(evening({ event_name: 'Another' }))
  await gus.api.events.askToJoin({ event_id: waiting.id })
  const own = await gus.api.events.saveEvent(
    evening({
      event_name: `At ${planted}`,
      event_description: planted,
      event_location: `${planted} street 1`,
      event_programme: [
        { programme_starts_at: evening().event_starts_at, programme_title: `Eat ${planted}`, programme_place: planted },
      ],
    }),
  )
  await gus.api.chats.saveMessage({ group_chat_id: own.group_chat_id, message_content: `Alone with ${planted}` })
  for (const [chat, word] of [[own.group_chat_id, planted] as const, [group_chat_id, said] as const]) {
    const question = { group_chat_id: chat, message_content: word, poll_choices: [`Yes, ${word}`, 'No'] }
    const { id } = await gus.api.polls.makePoll(question)
    await gus.api.polls.vote({ message_id: Number(id), poll_choice_ids: [1] })
  }

  const message = await gus.api.chats.saveMessage({ group_chat_id, message_content: `I said ${said}` })
  await gus.api.chats.saveMessage({
    group_chat_id,
    message_content: `Look: ${said}`,
    attachments: [await photoWith(planted)],
  })
  await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Nice', message_reply_id: Number(message.id) })
  const edited = await olivia.api.chats.saveMessage({ group_chat_id, message_content: 'Hello' })
  await olivia.api.chats.saveMessage({
    group_chat_id,
    message_id: Number(edited.id),
    message_content: 'Hello again',
  })
  const deleted = await gus.api.chats.saveMessage({ group_chat_id, message_content: `Forget ${planted}` })
  await gus.api.chats.deleteMessage({ message_id: Number(deleted.id) })

  const named = new File([await photoWith(planted)], `${planted}.jpg`, { type: 'image/jpeg' })
  const photo = await gus.api.gallery.uploadPhoto({ event_id, image: named })
  const event_photo_id = Number(photo.id)
  await gus.api.gallery.captionPhoto({ event_photo_id, event_photo_caption: said, event_photo_alt_text: said })
  await gus.api.gallery.saveComment({ event_photo_id, event_photo_comment: `Comment ${said}` })
  const gone = await gus.api.gallery.saveComment({ event_photo_id, event_photo_comment: `Deleted ${planted}` })
  await gus.api.gallery.deleteComment({ event_photo_comment_id: gone.id })
  const theirs = await olivia.api.gallery.uploadPhoto({ event_id, image: await photoWith('of olivia') })
  await gus.api.gallery.likePhoto({ event_photo_id: Number(theirs.id) })
  await gus.api.gallery.saveComment({ event_photo_id: Number(theirs.id), event_photo_comment: `Under hers: ${said}` })
  const removed = await gus.api.gallery.uploadPhoto({ event_id, image: await photoWith(`${planted} removed`) })
  await gus.api.gallery.deletePhoto({ event_photo_id: Number(removed.id) })
  // Rows that last only hours, or need a receiver or a mailbox, are inserted by hand.
  await sql`insert into moved_emails (user_id, email_before, proven) values (${gus.id}, ${`was-${planted}@example.com`}, true)`.execute(
    app.db,
  )
  await sql`insert into upload_sessions (id, event_id, user_id, kind, filename, bytes)
    values (gen_random_uuid(), ${event_id}, ${gus.id}, 'image', ${`${planted}.jpg`}, 9)`.execute(app.db)
  await sql`insert into webhooks (event_id, url, kinds, nonce, status, taken_to, made_by)
    values (${own.id}, ${`https://${planted}.example/`}, '{}', '\\x00', 'off', 0, ${gus.id})`.execute(app.db)
  await sql`insert into answers (event_id, user_id, answer, plus, plus_names, note)
    values (${event_id}, ${gus.id}, 'maybe', 1, ${`${planted} junior`}, ${`No nuts for ${planted}`})`.execute(app.db)
  await sql`insert into audit_entries (event_id, actor_id, act, subject_id, user_id, reason)
    values (${event_id}, ${olivia.id}, 'guest.moved_up', ${gus.id}, ${gus.id}, ${`Drives ${planted}`})`.execute(app.db)
  await gus.api.announcements.makeAnnouncement({ event_id: own.id, announcement_text: `The bus: ${said}` })
  await quiet()
  return { gus, olivia, group_chat_id, event_photo_id }
}

const eraseNow = async ({ api, id, password }: Member, erase_content: boolean) => {
  await api.privacy.deleteAccount({ user_password: password, erase_content })
  await sql`update users set erase_at = now() where id = ${id}`.execute(app.db)
  await eraseDue(app)
  await quiet()
  await eraseDue(app)
}

test('a planted word is in no table and in no file, and what was said stays under nobody’s name', async () => {
  const planted = 'xylophonequartz'
  const said = 'marmaladesky'
  const { gus, olivia, group_chat_id } = await live(planted, said)
  expect((await placesOf(planted)).length).toBeGreaterThan(15)
  expect((await filesWith(planted)).length).toBeGreaterThanOrEqual(3)

  await eraseNow(gus, false)
  expect(await placesOf(planted)).toEqual([])
  expect(await filesWith(planted)).toEqual([])
  const { rows } = await sql`select from media where owner_id = ${gus.id} and latitude is not null`.execute(app.db)
  expect(rows).toEqual([])

  const { data } = await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 20 })
  const texts = data.filter(({ user }) => user.id === gus.id).map(({ message_content }) => message_content)
  expect(texts).toEqual(expect.arrayContaining([`I said ${said}`, `Look: ${said}`]))
  const attachment = data.find(({ attachments }) => attachments.length > 0)?.attachments[0]
  expect((await fetch(attachment?.message_attachment_url ?? '')).status).toBe(200)
})

test('where asked for, what was said and shown goes as well', async () => {
  const planted = 'zirconwaterfall'
  const { gus, olivia, group_chat_id } = await live(planted, planted)

  // No column is forgotten: each holds the word, which is exported and erased, or is excused by name.
  const holding = await columnsWith(app, planted)
  const columns = await columnsOfWords(app)
  expect(columns.filter(column => !holding.has(column) && !wordless.has(column))).toEqual([])
  expect([...wordless.keys(), ...unexported.keys()].filter(column => !columns.includes(column))).toEqual([])
  const { everything } = await exported(gus)
  const inExport = (value: string) => everything.includes(JSON.stringify(value).slice(1, -1))
  expect(
    [...holding].flatMap(([column, values]) =>
      unexported.has(column) || wordless.has(column) || [...values].some(inExport) ? [] : [column],
    ),
  ).toEqual([])

  await eraseNow(gus, true)
  expect(await placesOf(planted)).toEqual([])
  expect(await filesWith(planted)).toEqual([])
  const { data } = await olivia.api.chats.listMessages({ group_chat_id, page: 1, page_length: 20 })
  expect(data.filter(({ user }) => user.id === gus.id).every(({ message_content }) => message_content === '')).toBe(
    true,
  )
  expect(data.some(({ message_content }) => message_content === 'Nice')).toBe(true)
})

needing(ffmpeg).test(
  'a film remains as everybody saw it, and one that never played as its still',
  { tags: 'slow' },
  async () => {
    const [olivia, gus] = [await enter(app, 'olivia'), await enter(app, 'gus')]
    const { id: event_id } = await olivia.api.events.saveEvent(evening())
    await bringIn(olivia, event_id, gus)
    const upload = async (film: Buffer) => {
      const video = new Blob([new Uint8Array(film)])
      const { id } = await gus.api.gallery.uploadPhoto({ event_id, image: await photoWith('a still'), video })
      const ask = () => olivia.extra.gallery.readPhoto({ event_photo_id: Number(id) })
      await expect.poll(async () => (await ask()).extra?.video_state?.state).toMatch(/^(ready|failed)$/)
      return ask
    }
    const playing = await upload(await iphoneMov())
    const broken = await mp4({ seconds: 2 })
    const [begin, end] = [broken.indexOf('mdat') + 4, broken.indexOf('moov') - 4]
    broken.fill(0, begin, end > begin ? end : broken.length)
    broken.write('chrysanthemum', begin + 100)
    const failed = await upload(broken)
    expect((await failed()).extra?.video_state?.state).toBe('failed')
    for (const planted of ['+48.2082+016.3738', 'chrysanthemum'])
      expect([planted, (await filesWith(planted)).length]).toEqual([planted, 1])

    await eraseNow(gus, false)
    for (const planted of ['+48.2082+016.3738', 'chrysanthemum'])
      expect([planted, await filesWith(planted)]).toEqual([planted, []])
    const { event_photo_url } = await playing()
    expect((await fetch(event_photo_url)).headers.get('content-type')).toBe('video/mp4')
    const { extra, event_photo_preview_url } = await failed()
    expect(extra).toMatchObject({ video: false, video_state: null })
    expect((await fetch(event_photo_preview_url)).status).toBe(200)
    expect(await brokenInvariants(app.db, storage, { graceMs: -3_600_000 })).toEqual([])
  },
)
