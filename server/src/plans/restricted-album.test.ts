import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { expectHeard, openAudience } from '../../test/audience.ts'
import { enter, type Member } from '../../test/cast.ts'
import { wrongEvents } from '../../test/event-state.ts'
import { notificationsOf, openNotifiedApp } from '../../test/notified.ts'
import { bringIn, evening } from '../../test/party.ts'
import { anew, png } from '../../test/pictures.ts'
import { invalid, refusal, says } from '../../test/refused.ts'
import { listAlbum } from '../albums/album-store.ts'

const { app, quiet, subscribe } = await openNotifiedApp()
const [olivia, gus, ana, sam] = await Promise.all([
  enter(app, 'olivia'),
  enter(app, 'gus'),
  enter(app, 'ana'),
  enter(app, 'sam'),
])
const image = new Blob([await png({ width: 24, height: 16 })])
const paged = { page: 1, page_length: 50 }
const notForYou = says('The album is for those who come to the event')

afterAll(async () => expect(await wrongEvents(app.db)).toEqual([]))

const hold = async (fields: Record<string, unknown> = {}) => {
  const { id: event_id, group_chat_id } = await olivia.api.events.saveEvent(
    evening({ event_album_for: 'coming', ...fields }),
  )
  for (const guest of [gus, ana, sam]) await bringIn(olivia, event_id, guest)
  return { event_id, group_chat_id }
}
const say = ({ api }: Member, event_id: number, event_answer: 'going' | 'maybe' | 'no') =>
  api.plans.answerEvent({ event_id, event_answer })
const add = async ({ api }: Member, event_id: number) => api.gallery.uploadPhoto({ event_id, image: await anew(image) })
const may = async ({ extra }: Member, event_id: number) => (await extra.events.readEvent({ event_id })).extra?.may
const zipOf = async ({ id: viewerId }: Member, eventId: number) => {
  const album = { eventId, viewerId, takenBy: null, liked: false, choiceId: null, upTo: 9, size: 'full' } as const
  return (await listAlbum(app.db, album, 0, 9)).length
}
const statusOf = async (url: string) => (await fetch(url)).status

describe('an album for those who come', () => {
  test('holds their own photos for guests who said no or maybe, and all of it for the others', async () => {
    const { event_id, group_chat_id } = await hold()
    await say(gus, event_id, 'going')
    const theirs = await add(gus, event_id)
    const seen = await ana.api.gallery.readPhoto({ event_photo_id: Number(theirs.id) })
    expect(await statusOf(seen.event_photo_url)).toBe(200)
    const picture = await anew(image)
    const { attachments } = await gus.api.chats.saveMessage({
      group_chat_id,
      message_content: 'Look',
      attachments: [picture],
    })

    for (const answer of ['no', 'maybe'] as const) {
      await say(ana, event_id, answer)
      const own = await add(ana, event_id)
      const refused = [
        ana.api.gallery.listPhotos({ event_id, ...paged }),
        ana.api.gallery.listPhotos({ event_id, sort: 'most_liked', ...paged }),
        ana.api.gallery.listPhotos({ event_id, taken_by: gus.id, ...paged }),
        ana.api.gallery.readTimeline({ event_id }),
        ana.api.gallery.linkAlbum({ event_id }),
        ana.api.wall.readWall({ event_id }),
      ]
      expect(await Promise.all(refused.map(refusal))).toEqual(refused.map(() => notForYou))
      const zip = await fetch(`${app.url}/api/gallery/download/${event_id}`, {
        headers: { authorization: `Bearer ${ana.token}` },
      })
      expect([zip.status, zip.headers.get('x-refusal')]).toEqual([400, 'albumNotForYou'])
      const photo = { event_photo_id: Number(theirs.id) }
      const onPhoto = [
        ana.api.gallery.readPhoto(photo),
        ana.api.gallery.likePhoto(photo),
        ana.api.gallery.listComments({ ...photo, ...paged }),
        ana.api.gallery.saveComment({ ...photo, event_photo_comment: 'Nice' }),
      ]
      for (const { status } of await Promise.all(onPhoto.map(refusal))) expect([400, 403, 404]).toContain(status)
      const listed = await ana.api.gallery.listPhotos({ event_id, taken_by: ana.id, ...paged })
      expect(listed.data.map(({ id }) => id)).toContain(own.id)
      expect((await ana.api.gallery.readTimeline({ event_id, taken_by: ana.id })).timeline_photos_count).toBe(
        listed.data.length,
      )
      expect([await statusOf(seen.event_photo_url), await statusOf(own.event_photo_url)]).toEqual([404, 200])
      expect(await may(ana, event_id)).toMatchObject({
        album: false,
        browse: false,
        read: true,
        chat: true,
        upload: true,
      })
      expect(await zipOf(ana, event_id)).toBe(listed.data.length)
      // The chat is theirs as before, and so is what it shows.
      const shown = (await ana.api.chats.listMessages({ group_chat_id, ...paged })).data.flatMap(one => one.attachments)
      expect(shown.map(({ id }) => id)).toEqual(attachments.map(({ id }) => id))
      expect(await statusOf(shown[0]?.message_attachment_url ?? '')).toBe(200)
    }
    expect((await sam.api.gallery.listPhotos({ event_id, ...paged })).data).toHaveLength(3)
    await say(ana, event_id, 'going')
    expect((await ana.api.gallery.listPhotos({ event_id, ...paged })).data).toHaveLength(3)
    expect(await may(ana, event_id)).toMatchObject({ album: true, browse: true })
  })

  test('shows in an announcement the photos that each sees, and none to guests who are not coming', async () => {
    const { event_id } = await hold()
    await say(ana, event_id, 'no')
    const event_photo_id = Number((await add(gus, event_id)).id)
    await olivia.api.announcements.makeAnnouncement({
      event_id,
      announcement_text: 'Thank you',
      event_photo_ids: [event_photo_id],
    })
    const shownTo = async ({ api }: Member) =>
      (await api.announcements.listAnnouncements({ event_id, ...paged })).data[0]?.announcement_photo_ids
    expect([await shownTo(ana), await shownTo(sam)]).toEqual([[], [event_photo_id]])
    await olivia.api.gallery.hidePhoto({ event_photo_id })
    expect([await shownTo(olivia), await shownTo(gus), await shownTo(sam)]).toEqual([
      [event_photo_id],
      [event_photo_id],
      [],
    ])
    await gus.api.gallery.deletePhoto({ event_photo_id })
    expect(await shownTo(olivia)).toEqual([])
  })

  test('leaves guests who said no what they wrote to take back, and nothing else', async () => {
    const { event_id } = await hold()
    const photo = { event_photo_id: Number((await add(gus, event_id)).id) }
    const comment = async ({ api }: Member) =>
      (await api.gallery.saveComment({ ...photo, event_photo_comment: 'I look terrible here' })).id
    const [own, other] = [await comment(ana), await comment(sam)]
    await say(ana, event_id, 'no')
    await ana.api.gallery.deleteComment({ event_photo_comment_id: own })
    await ana.api.gallery.deleteComment({ event_photo_comment_id: own })
    expect((await refusal(ana.api.gallery.deleteComment({ event_photo_comment_id: other }))).status).toBe(404)
    const { data } = await gus.api.gallery.listComments({ ...photo, ...paged })
    expect(data.map(({ id }) => id)).toEqual([other])
  })

  test('is told and rung to nobody who is not coming, who hear of the event and the chat as before', async () => {
    const { event_id, group_chat_id } = await hold()
    await say(ana, event_id, 'no')
    const audience = await openAudience(app, { olivia, gus, ana, sam })
    const heard = await audience.heardOf(() => add(gus, event_id))
    expectHeard(heard, { olivia: ['photo.created'], gus: ['photo.created'], sam: ['photo.created'] })
    const { id } = await add(gus, event_id)
    const photo = { event_photo_id: Number(id) }
    const mention = await audience.heardOf(() =>
      olivia.api.gallery.saveComment({ ...photo, event_photo_comment: `Look, @${ana.username}` }),
    )
    expect(mention.ana).toEqual([])
    const said = await audience.heardOf(() =>
      gus.api.chats.saveMessage({ group_chat_id, message_content: 'Is anybody hungry?' }),
    )
    expect(said.ana.map(({ kind }) => kind)).toEqual(['message.created'])
    await quiet()
    await sleep(50)
    const kinds = (await notificationsOf(ana))
      .filter(one => one.event_id === event_id)
      .map(one => one.notification_kind)
    expect(kinds.filter(kind => kind.startsWith('photo') || kind.startsWith('comment'))).toEqual([])
  })

  test('is in no push to guests who are not coming, not even with an announcement that shows it', async () => {
    const { event_id } = await hold()
    await say(ana, event_id, 'no')
    const { id } = await add(olivia, event_id)
    await quiet()
    const [theirs, others] = [await subscribe(ana), await subscribe(gus)]
    const said = { event_id, announcement_text: 'Thank you all!', event_photo_ids: [Number(id)] }
    await olivia.api.announcements.makeAnnouncement(said)
    await quiet()
    const announced = { kind: 'announcement', body: 'Thank you all!' }
    expect(others.messages()).toMatchObject([{ ...announced, images: [expect.stringContaining('/media/')] }])
    expect(theirs.messages()).toMatchObject([announced])
    expect(JSON.stringify(theirs.messages())).not.toContain('/media/')
  })

  test('notifies guests who are not coming of their own photos and the comments on them, and of no others', async () => {
    const { event_id } = await hold({ event_photo_approval: 'wall' })
    const before = await add(ana, event_id)
    await say(ana, event_id, 'no')
    const [theirs, others] = [Number(before.id), Number((await add(gus, event_id)).id)]
    const audience = await openAudience(app, { olivia, gus, ana, sam })
    const heardBy = async (act: () => Promise<unknown>) => (await audience.heardOf(act)).ana
    const kinds = async (act: () => Promise<unknown>) => (await heardBy(act)).map(({ kind }) => kind)
    const cursor = (await ana.api.notifications.syncRealtime({})).cursor
    const comment = (event_photo_id: number) => () =>
      gus.api.gallery.saveComment({ event_photo_id, event_photo_comment: 'Nice' })

    const [created] = await heardBy(() => add(ana, event_id))
    expect(created).toMatchObject({ kind: 'photo.created', payload: { taken_by: { id: ana.id } } })
    const own = Number(Object(created).payload.id)
    for (const id of [theirs, own]) {
      const [liked] = await heardBy(() => gus.api.gallery.likePhoto({ event_photo_id: id }))
      expect(liked).toMatchObject({ kind: 'photo.liked', payload: { id: String(id), event_photo_likes_count: '1' } })
    }
    const [said, counted] = await heardBy(comment(theirs))
    expect(said).toMatchObject({ kind: 'comment.created', payload: { event_photo_comment: 'Nice' } })
    expect(counted).toMatchObject({ kind: 'photo.updated', payload: { event_photo_comments_count: '1' } })
    // Every notified photo can be read and answered.
    const { data } = await ana.api.gallery.listComments({ event_photo_id: theirs, ...paged })
    expect(data.map(each => each.event_photo_comment)).toEqual(['Nice'])
    const event_photo_comment_id = data[0]?.id ?? 0
    const reply = { event_photo_comment_reply_id: event_photo_comment_id, event_photo_comment: 'Thank you' }
    await ana.api.gallery.saveComment({ event_photo_id: theirs, ...reply })
    expect((await ana.api.gallery.listReplies({ event_photo_comment_id, ...paged })).data).toHaveLength(1)
    expect(await kinds(() => gus.api.gallery.deleteComment({ event_photo_comment_id }))).toEqual([
      'comment.deleted',
      'photo.updated',
    ])
    expect(await kinds(() => olivia.api.gallery.approvePhotos({ event_id, event_photo_ids: [own] }))).toEqual([
      'photo.updated',
    ])
    expect(await kinds(() => ana.api.gallery.deletePhoto({ event_photo_id: own }))).toEqual(['photo.deleted'])
    expect(await kinds(() => olivia.api.gallery.deletePhoto({ event_photo_id: theirs }))).toEqual(['photo.deleted'])

    const ofOthers = async () => {
      await gus.api.gallery.likePhoto({ event_photo_id: others })
      const { id } = await comment(others)()
      await gus.api.gallery.deleteComment({ event_photo_comment_id: id })
      await olivia.api.gallery.approvePhotos({ event_id, event_photo_ids: [others] })
      await olivia.api.gallery.hidePhoto({ event_photo_id: others })
      await olivia.api.gallery.unhidePhoto({ event_photo_id: others })
      await gus.api.gallery.deletePhoto({ event_photo_id: others })
    }
    expect(await kinds(ofOthers)).toEqual([])
    const missed = (await ana.api.notifications.syncRealtime({ cursor })).changes.filter(
      ({ kind }) => kind.startsWith('photo.deleted') || kind.startsWith('comment.deleted'),
    )
    expect(missed).toHaveLength(3)
  })

  test('becomes everybody’s and theirs again by the event’s form, which a copy keeps', async () => {
    const { event_id } = await hold({ event_album_for: 'everybody' })
    await say(ana, event_id, 'maybe')
    await add(gus, event_id)
    const sees = async () => (await may(ana, event_id))?.album
    expect(await sees()).toBe(true)
    await olivia.api.events.saveEvent(evening({ event_id, event_album_for: 'coming' }))
    expect(await sees()).toBe(false)
    await olivia.api.events.saveEvent(evening({ event_id }))
    expect(await sees()).toBe(false)
    const { extra } = await olivia.extra.events.readEvent({ event_id })
    expect(extra?.album_for).toBe('coming')
    const again = await olivia.extra.events.copyEvent({ event_id, event_starts_at: '2031-08-01T18:00:00Z' })
    expect(again.extra?.album_for).toBe('coming')
    await olivia.api.events.saveEvent(evening({ event_id, event_album_for: 'everybody' }))
    expect(await sees()).toBe(true)
    expect(await refusal(olivia.api.events.saveEvent(evening({ event_id, event_album_for: 'nobody' })))).toEqual(
      invalid('event_album_for', 'The selected event album for is invalid.'),
    )
  })

  test('is an organizer’s whatever they answer, and an absent guest is listed and shown as a guest', async () => {
    const { event_id } = await hold()
    await say(olivia, event_id, 'no')
    await say(ana, event_id, 'no')
    expect(await may(olivia, event_id)).toMatchObject({ album: true, manage: true })
    const listed = (await gus.api.events.listGuests({ event_id, ...paged })).data
    expect(listed.map(({ user, event_role }) => [user.id, event_role])).toEqual([
      [olivia.id, 'organizer'],
      [gus.id, 'guest'],
      [ana.id, 'guest'],
      [sam.id, 'guest'],
    ])
    await olivia.api.events.makeOrganizer({ event_id, user_id: ana.id })
    expect(await may(ana, event_id)).toMatchObject({ album: true, manage: true })
    await olivia.api.events.unmakeOrganizer({ event_id, user_id: ana.id })
    expect(await may(ana, event_id)).toMatchObject({ album: false, manage: false })
    await ana.api.events.leaveEvent({ event_id })
    await bringIn(olivia, event_id, ana)
    expect(await may(ana, event_id)).toMatchObject({ album: true })
  })
})
