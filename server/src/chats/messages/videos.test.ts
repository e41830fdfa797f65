import { sendVideo } from '@afterglow/sdk/upload'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestApp } from '../../../test/app.ts'
import { type Listener, listen } from '../../../test/channel.ts'
import { eraseDue } from '../../../test/erase-due.ts'
import { filmTool, mp4, soundOnly, watch } from '../../../test/films.ts'
import { wrongGalleries } from '../../../test/gallery-state.ts'
import { needing } from '../../../test/needing.ts'
import { bringIn, party } from '../../../test/party.ts'
import { anew, jpeg } from '../../../test/pictures.ts'
import { invalid, notFound, refusal, says } from '../../../test/refused.ts'
import { ffmpeg } from '../../../test/tools.ts'
import { addressOf, sessionIn, tusFor } from '../../../test/tus.ts'
import { brokenInvariants } from '../../invariants/invariants.ts'

needing(ffmpeg).describe('a video in a chat', async () => {
  const app = await openTestApp({}, { video: await filmTool() })
  const { olivia, gus, asha, sam, chatId: group_chat_id, event } = await party(app)
  const image = new Blob([new Uint8Array(await jpeg({ width: 200, height: 120 }))])
  const blob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)])
  let length = 0
  const film = async () => blob(await mp4({ seconds: 1 + ++length / 10 }))
  const about = { group_chat_id, message_content: 'The fireworks', image }
  const ready = (heard: Listener, id: string) =>
    vi.waitFor(
      () => {
        const [attachment] = heard.of('message.updated').findLast(message => message.id === id)?.attachments ?? []
        expect(attachment?.extra?.video_state?.state).toBe('ready')
        return attachment as NonNullable<typeof attachment>
      },
      { timeout: 60_000, interval: 20 },
    )
  const statusOf = async (url: string | undefined) => (await fetch(url ?? '')).status

  afterAll(async () => {
    expect(await wrongGalleries(app.db)).toEqual({})
    expect(await brokenInvariants(app.db, app.storage)).toEqual([])
  })

  test('shows its still, then plays, only for members of its chat', async () => {
    const heard = await listen(app, gus)
    const sent = await gus.extra.chats.sendVideo({ ...about, video: await film() })
    const [waiting] = sent.attachments
    expect(waiting).toMatchObject({
      message_attachment_added_to_album: false,
      extra: { video: true, width: 200, may: { add_to_album: true, delete: true } },
    })
    expect(waiting?.message_attachment_url).toMatch(/\.jpg\?/)
    expect((await fetch(waiting?.extra?.preview_url ?? '')).headers.get('content-type')).toBe('image/jpeg')
    const played = await ready(heard, sent.id)
    // Existing apps draw it as a picture.
    expect(played.message_attachment_url).toMatch(/\.jpg\?/)
    expect((await fetch(played.message_attachment_url)).headers.get('content-type')).toBe('image/jpeg')
    const playing = played.extra?.video_url ?? ''
    expect(playing).toMatch(/\.mp4\?/)
    const reply = await fetch(playing)
    const seen = await watch(new Uint8Array(await reply.arrayBuffer()))
    expect(seen.streams.map(({ codec_name }) => codec_name).sort()).toEqual(['aac', 'h264'])

    const { data } = await olivia.extra.chats.listAttachments({ group_chat_id, page: 1, page_length: 10 })
    expect(data[0]?.extra).toMatchObject({ video: true, video_state: { state: 'ready', progress: 100 } })
    expect((await refusal(asha.api.chats.sendVideo({ ...about, video: await film() }))).body).toEqual(
      says('The user is neither a guest nor an organizer of the event').body,
    )
    // Hiding invalidates all URLs signed before; deleting invalidates all.
    await olivia.api.chats.hideMessage({ message_id: Number(sent.id) })
    for (const url of [played.message_attachment_url, playing]) expect(await statusOf(url)).not.toBe(200)
    await gus.api.chats.deleteMessage({ message_id: Number(sent.id) })
    expect((await olivia.extra.chats.listAttachments({ group_chat_id, page: 1, page_length: 10 })).data).toEqual([])
  })

  test('is sent once under its key, as a form or in parts, and another video under it is refused', async () => {
    const heard = await listen(app, gus)
    const connection = { baseUrl: app.url, token: gus.token, extra: true as const }
    const inPieces = { directBytesMax: 1000 }
    for (const [first, second] of [
      [{}, {}],
      [inPieces, inPieces],
      [inPieces, {}],
    ]) {
      const video = await film()
      const idempotencyKey = `film ${length}`
      // Each upload has a still of its own, as a page draws it anew.
      const send = async (video: Blob, how: object | undefined) =>
        sendVideo(
          connection,
          { ...about, image: await anew(image), event_id: event.id, video },
          { ...how, idempotencyKey },
        )
      const one = await send(video, first)
      await ready(heard, one.id)
      expect((await send(video, second)).id).toBe(one.id)
      // This one has the same length and the same name.
      const other = blob(new Uint8Array(await video.arrayBuffer()).with(-1, 7))
      expect((await refusal(send(other, second))).body).toEqual(
        says('The Idempotency-Key was used before with another request.').body,
      )
    }
    const { data } = await gus.api.chats.listMessages({ group_chat_id, page: 1, page_length: 50 })
    expect(data.filter(({ attachments }) => attachments.length > 0)).toHaveLength(3)
    // Files sent again with a repeated request take no room; files of a refused one can still be used.
    const { rows } = await sql<{ open: number }>`
      select count(*) filter (where used_at is null)::integer as open from upload_sessions`.execute(app.db)
    expect(rows).toEqual([{ open: 1 }])
  })

  test('a video with a lost reply is answered again by its session', async () => {
    const video = await film()
    const tus = tusFor(app.url, gus)
    const at = await addressOf(tus.open(video.size, { event_id: event.id, kind: 'video', filename: 'fire.mp4' }))
    await tus.patch(at, 0, video)
    const video_session_id = sessionIn(at)
    const send = () => gus.api.chats.sendVideo({ ...about, video_session_id }, { idempotencyKey: 'lost' })
    expect((await send()).id).toBe((await send()).id)
    // The film becomes nothing else.
    expect(await refusal(gus.api.chats.sendVideo({ ...about, video_session_id }))).toEqual(
      invalid('video_session_id', 'The selected video session id is invalid.'),
    )
  })

  test('an invalid video is refused by its field, and nothing is written', async () => {
    const before = await sql`select (select count(*) from messages) as m, (select count(*) from media) as n`.execute(
      app.db,
    )
    for (const wrong of [image, blob(await soundOnly())])
      expect(Object.keys((await refusal(gus.api.chats.sendVideo({ ...about, video: wrong }))).body as object)).toEqual([
        'video',
      ])
    expect(await refusal(gus.api.chats.sendVideo(about))).toEqual(invalid('video', 'The video field is required.'))
    const whole = { ...about, video: await film() }
    expect(await refusal(gus.api.chats.sendVideo({ ...whole, group_chat_id: 404_404 }))).toEqual(
      notFound('Group chat not found!'),
    )
    await olivia.api.chats.endChat({ group_chat_id })
    expect(await refusal(gus.api.chats.sendVideo(whole))).toEqual(says('The group chat is read-only'))
    await olivia.api.chats.reopenChat({ group_chat_id })
    const after = await sql`select (select count(*) from messages) as m, (select count(*) from media) as n`.execute(
      app.db,
    )
    expect(after.rows).toEqual(before.rows)
  })

  test('added to the album plays there too, is recognized by its bytes, and outlives its message', async () => {
    const heard = await listen(app, gus)
    const video = await film()
    const sent = await gus.extra.chats.sendVideo({ ...about, video })
    await ready(heard, sent.id)
    const message_attachment_id = sent.attachments[0]?.id as number
    const photo = await olivia.extra.chats.addToAlbum({ message_attachment_id })
    expect(photo).toMatchObject({ taken_by: { id: gus.id }, extra: { video: true, video_state: { state: 'ready' } } })
    expect(photo.event_photo_url).toMatch(/\.mp4\?/)
    const shown = await gus.api.chats.listMessages({ group_chat_id, page: 1, page_length: 1 })
    expect(shown.data[0]?.attachments[0]?.message_attachment_added_to_album).toBe(true)
    const again = await gus.extra.gallery.uploadPhoto({ event_id: event.id, image, video })
    expect(again).toMatchObject({ id: photo.id, extra: { upload: { was_there: true } } })

    await gus.api.chats.deleteMessage({ message_id: Number(sent.id) })
    const left = await olivia.api.gallery.readPhoto({ event_photo_id: Number(photo.id) })
    expect(await statusOf(left.event_photo_url)).toBe(200)
  })

  test('disappears with its attachment, its message and its sender, and is not converted for nobody', async () => {
    const leaving = sam
    await bringIn(olivia, event.id, leaving)
    const send = async () => leaving.extra.chats.sendVideo({ ...about, video: await film() })
    const [one, two] = [await send(), await send(), await send()]
    await leaving.api.chats.deleteAttachment({ message_attachment_id: one.attachments[0]?.id as number })
    await leaving.api.chats.deleteMessage({ message_id: Number(two.id) })
    await leaving.api.privacy.deleteAccount({ user_password: leaving.password, erase_content: true })
    await sql`update users set erase_at = now() where id = ${leaving.id}`.execute(app.db)
    await eraseDue(app)
    const { rows } = await sql`
      select v.state from videos v join media m on m.id = v.media_id
      where m.owner_id = ${leaving.id} and m.removed_at is null`.execute(app.db)
    expect(rows).toEqual([])
  })

  test('is still converted for its message after leaving the album', async () => {
    const heard = await listen(app, gus)
    const sent = await gus.extra.chats.sendVideo({ ...about, video: await film() })
    const { id } = await gus.api.chats.addToAlbum({ message_attachment_id: sent.attachments[0]?.id as number })
    await gus.api.gallery.deletePhoto({ event_photo_id: Number(id) })
    await ready(heard, sent.id)
  })
})
