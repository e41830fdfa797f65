import { expect, test } from 'vitest'
import { openTestApp } from './app.ts'
import { enter } from './cast.ts'
import { filmTool, mp4 } from './films.ts'
import { needing } from './needing.ts'
import { anew, jpeg } from './pictures.ts'
import { ffmpeg } from './tools.ts'

/* One evening, from the invitation to the thank-you: the requests that the API reference shows. */

const at = (time: string) => `2027-06-${time}:00.000Z`

test('an evening is told in requests, each of which succeeds', async () => {
  const app = await openTestApp()
  const [olivia, ana] = [await enter(app, 'olivia'), await enter(app, 'ana')]
  const cover = new File([new Uint8Array(await jpeg({ width: 160, height: 90 }))], 'lake.jpg', { type: 'image/jpeg' })
  const { id: event_id, group_chat_id } = await olivia.extra.events.saveEvent({
    event_name: 'Midsummer by the lake',
    event_description: 'Bring a blanket and something for the grill.',
    event_starts_at: at('21T16:00'),
    event_ends_at: at('22T01:00'),
    event_timezone: 'Europe/Madrid',
    event_location: 'The old boathouse, Lake Road 4',
    event_visibility: 2,
    event_join_mode: 1,
    event_places: 40,
    event_plus_ones_max: 2,
    event_programme: [
      { programme_title: 'Grill', programme_starts_at: at('21T17:00') },
      { programme_title: 'Bonfire', programme_starts_at: at('21T20:00') },
    ],
    event_avatar: cover,
  })
  const { link_code, id: link_id } = await olivia.extra.links.makeLink({ event_id, expires_at: at('21T20:00') })
  const gus = await app.as().links.joinByLink({
    code: link_code,
    user_first_name: 'Gus',
    user_last_name: 'Grant',
    device_id: 'phone of gus',
    user_timezone: 'Europe/Madrid',
    user_device_platform: 'ios',
    event_answer: 'going',
    plus_ones: 1,
    plus_names: 'Mia',
    answer_note: 'No nuts, please',
  })
  const guest = app.withExtra(gus.token)
  await guest.returns.keepOwnCode({ renew: true })
  await guest.accounts.claimAccount({
    user_email: 'gus@example.com',
    user_username: 'gus.grant',
    user_password: 'a boat on the lake',
    user_password_confirmation: 'a boat on the lake',
    user_login_option_type: 1,
  })
  await guest.accounts.updateAccount({
    user_first_name: 'Gus',
    user_last_name: 'Grant',
    user_email: 'gus@example.com',
    user_username: 'gus.grant',
    user_visible: true,
  })
  await olivia.extra.plans.addPerson({
    event_id,
    user_first_name: 'Aunt Rosa',
    event_answer: 'going',
    plus_ones: 1,
    plus_names: 'Uncle Paul',
    answer_note: 'By the door, if there is a place',
  })
  await guest.plans.answerEvent({ event_id, event_answer: 'going', plus_ones: 0, answer_note: 'No nuts, please' })
  await olivia.extra.events.invite({ event_id, user_ids: [ana.id] })
  await olivia.extra.announcements.makeAnnouncement({ event_id, announcement_text: 'The bus leaves at five.' })

  const photo = await guest.gallery.uploadPhoto({
    event_id,
    image: await anew(new Blob([new Uint8Array(await jpeg({ width: 120, height: 80 }))])),
    event_photo_caption: 'The first swim',
    event_photo_alt_text: 'Three people jump off a jetty',
  })
  const event_photo_id = Number(photo.id)
  await guest.gallery.captionPhoto({ event_photo_id, event_photo_caption: 'The second swim' })
  const comment = await olivia.extra.gallery.saveComment({ event_photo_id, event_photo_comment: 'How cold was it?' })
  const event_photo_comment_id = Number(comment.id)
  await olivia.extra.gallery.saveComment({ event_photo_comment_id, event_photo_comment: 'How cold is the lake?' })
  await guest.gallery.reactToComment({ event_photo_comment_id, comment_reaction: '😂' })

  const message = await olivia.extra.chats.saveMessage({ group_chat_id, message_content: 'The bonfire is lit' })
  await guest.chats.saveMessage({
    group_chat_id,
    message_content: 'We are on our way',
    message_reply_id: Number(message.id),
  })
  await guest.chats.reactToMessage({ message_id: Number(message.id), message_reaction: '🎉' })
  const poll = await olivia.extra.polls.makePoll({
    group_chat_id,
    message_content: 'Breakfast at the lake?',
    poll_choices: ['Yes, at ten', 'Yes, at noon', 'I sleep in'],
    poll_multiple: false,
  })
  const [choice] = poll.extra.card?.poll?.poll_choices ?? []
  await guest.polls.vote({ message_id: Number(poll.id), poll_choice_ids: [choice?.id ?? 0] })
  await olivia.extra.chats.endChat({ group_chat_id, from: at('28T10:00') })
  await olivia.extra.wall.saveWall({ event_id, wall_layout: 'mosaic', wall_seconds: 8, wall_messages: true })
  await guest.people.report({ report_type: 'message', report_id: Number(message.id), report_reason: 'Not nice' })
  await guest.notifications.saveEventLevel({ event_id, level: 'for_me', photos_at_once: true })
  await guest.notifications.saveNotificationSettings({ quiet_from: '22:30', quiet_until: '08:00', rings_per_hour: 6 })

  const look = await olivia.extra.links.makeLink({ event_id, kind: 'look' })
  await app.as().links.viewByLink({ code: look.link_code, device_id: 'tablet at the door' })
  await olivia.api.links.sendAwayByLink({ link_id, since: new Date().toISOString() })
  await olivia.api.accounts.proveAccount({ user_password: olivia.password })
  const signedIn = await app.as().accounts.authenticate({
    user_login_option_type: 1,
    user_login_id: olivia.email,
    user_password: olivia.password,
    device_id: 'laptop of olivia',
    user_timezone: 'Europe/Madrid',
    user_device_platform: 'web',
  })
  expect(signedIn.user.id).toBe(olivia.id)
  await olivia.api.accounts.logout({ all_devices: true, keep_calendar: false })
})

needing(ffmpeg).test('so is a film in its chat', async () => {
  const app = await openTestApp({}, { video: await filmTool() })
  const olivia = await enter(app, 'olivia')
  const { group_chat_id } = await olivia.api.events.saveEvent({
    event_name: 'Midsummer by the lake',
    event_starts_at: at('21T16:00'),
  })
  const image = new File([new Uint8Array(await jpeg({ width: 120, height: 80 }))], 'still.jpg')
  const video = new File([new Uint8Array(await mp4())], 'fireworks.mp4')
  const sent = await olivia.extra.chats.sendVideo({ group_chat_id, message_content: 'The fireworks', image, video })
  expect(sent.attachments).toHaveLength(1)
})
