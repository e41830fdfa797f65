import { type Name, type People, password } from './people.ts'
import { type Mood, picture } from './pictures.ts'

type Line = { by: Name; says: string; to?: number; shows?: [number, Mood]; reactions?: Partial<Record<Name, string>> }

/** The evening as its chat tells it; `to` is the line that is answered. */
const lines: Line[] = [
  {
    by: 'olivia',
    says: 'Welcome, everybody! Lanterns at nine, boats at ten. 🏮',
    reactions: { gus: '🎉', ana: '❤️', gwen: '🎉' },
  },
  { by: 'gus', says: 'Is there parking by the pier?' },
  { by: 'olivia', says: 'Behind the boathouse, follow the ribbons.', to: 1, reactions: { gus: '👍' } },
  { by: 'ana', says: 'I bring the speaker and a very long cable.', reactions: { olivia: '🙏', remy: '😂' } },
  { by: 'remy', says: 'Merci ! Je m’occupe des crêpes.', reactions: { ana: '😍', gus: '😍', rita: '😍' } },
  {
    by: 'gwen',
    says: 'Arrived early. Worth it.',
    shows: [1, 'sunset'],
    reactions: { olivia: '😍', ana: '🔥', gus: '🔥' },
  },
  { by: 'rita', says: 'Ten minutes away, save me a lantern!', to: 0 },
  { by: 'gus', says: 'Saved. It is the crooked one.', to: 6, reactions: { rita: '😂' } },
  { by: 'ana', says: 'Sound check done 🎶', shows: [2, 'dance'] },
  { by: 'olivia', says: 'Lights out in five, come to the water.', reactions: { rita: '👍', gus: '👍', remy: '👍' } },
  {
    by: 'rita',
    says: 'This is going straight onto the wall.',
    shows: [4, 'night'],
    reactions: { olivia: '❤️', gwen: '❤️' },
  },
  { by: 'remy', says: 'Last crêpes! Who has not eaten?' },
  { by: 'gus', says: '🙋', to: 11 },
  {
    by: 'gwen',
    says: 'Thank you all. Put your pictures into the album, please.',
    reactions: { olivia: '👍', ana: '👍', remy: '👍' },
  },
]

type Shot = {
  by: Name
  mood: Mood
  caption?: string
  likes?: Name[]
  comments?: { by: Name; says: string; replies?: [Name, string][] }[]
}

const shots: Shot[] = [
  { by: 'gwen', mood: 'meadow', caption: 'Before anybody came' },
  { by: 'ana', mood: 'meadow', likes: ['olivia', 'remy'] },
  { by: 'remy', mood: 'garland', caption: 'Two hundred bulbs, one ladder', likes: ['olivia', 'ana', 'gwen'] },
  { by: 'rita', mood: 'sunset' },
  {
    by: 'olivia',
    mood: 'sunset',
    caption: 'The first lantern',
    likes: ['gus', 'ana', 'remy', 'gwen', 'rita'],
    comments: [
      {
        by: 'gus',
        says: 'You did not even need the ladder.',
        replies: [
          ['olivia', 'I stood on Rémy.'],
          ['remy', 'She did.'],
        ],
      },
      { by: 'rita', says: 'Print this one!' },
    ],
  },
  { by: 'gus', mood: 'sunset', likes: ['olivia'] },
  {
    by: 'remy',
    mood: 'dance',
    caption: 'Somebody found the good songs',
    likes: ['ana', 'gus', 'rita'],
    comments: [{ by: 'ana', says: 'Me. It was me.' }],
  },
  { by: 'rita', mood: 'dance' },
  { by: 'gwen', mood: 'garland', likes: ['gus', 'rita', 'remy', 'olivia'], caption: 'The long table' },
  { by: 'olivia', mood: 'sunset', likes: ['ana'] },
  { by: 'ana', mood: 'night', caption: 'Eleven boats', likes: ['olivia', 'gus', 'gwen'] },
  { by: 'gus', mood: 'night', likes: ['rita'] },
  { by: 'olivia', mood: 'garland', likes: ['remy', 'gwen'] },
  { by: 'ana', mood: 'dance', caption: 'Nobody went home' },
  {
    by: 'gwen',
    mood: 'night',
    caption: 'One crooked lantern',
    likes: ['rita', 'gus', 'olivia'],
    comments: [{ by: 'rita', says: 'Mine!', replies: [['gus', 'Told you.']] }],
  },
]

/** Plays the evening through the service, in order, and returns what to tell the person who asked for it. */
export const tell = async (
  people: People,
): Promise<{ eventName: string; eventId: number; chatLines: number; photos: number; joinLink: string }> => {
  const { olivia, gus, sam } = people
  const event = await plan(people, {
    by: 'olivia',
    name: 'Lanterns on the lake',
    about: 'Bring something warm and somebody you like.',
    where: 'The old pier',
    inDays: 3,
    mood: 'night',
  })
  for (const other of others) await plan(people, other)
  for (const name of ['gus', 'ana', 'remy', 'gwen', 'rita'] as const) {
    await people[name].api.events.askToJoin({ event_id: event.id })
    await olivia.api.events.approveJoinRequest({ event_id: event.id, user_id: people[name].id })
  }
  await olivia.api.events.makeOrganizer({ event_id: event.id, user_id: gus.id })
  await sam.api.events.askToJoin({ event_id: event.id })
  await olivia.api.events.invite({ event_id: event.id, user_ids: [people.asha.id] })
  await olivia.api.people.befriend({ user_id: gus.id })
  await gus.api.people.befriend({ user_id: olivia.id })

  const sent: number[] = []
  for (const line of lines) sent.push(await say(people, event.group_chat_id, line, sent))
  await gus.api.chats.markSeen({ message_id: sent.at(-1) ?? 0 })
  for (const [seed, shot] of shots.entries()) await shoot(people, event.id, seed + 10, shot)
  const { link_url: joinLink } = await olivia.api.links.makeLink({ event_id: event.id })
  return { eventName: event.event_name, eventId: event.id, chatLines: lines.length, photos: shots.length + 1, joinLink }
}

type Plan = {
  by: Name
  name: string
  about?: string
  where: string
  inDays: number
  mood: Mood
  guests?: Name[]
  invites?: Name[]
}

/** What else is going on, so that lists are lists. */
const others: Plan[] = [
  {
    by: 'gwen',
    name: 'Breakfast on the grass',
    where: 'Mill meadow',
    inDays: 9,
    mood: 'meadow',
    guests: ['olivia', 'rita'],
  },
  { by: 'ana', name: 'The harbour sessions', where: 'Quay 4', inDays: 17, mood: 'dance', guests: ['olivia', 'gus'] },
  { by: 'remy', name: 'Under the vines', where: 'Rémy’s yard', inDays: 24, mood: 'garland', invites: ['olivia'] },
  { by: 'olivia', name: 'Last swim of the year', where: 'South shore', inDays: -40, mood: 'sunset', guests: ['gus'] },
]

const plan = async (people: People, { by, name, about, where, inDays, mood, guests = [], invites = [] }: Plan) => {
  const day = new Date(Date.now() + inDays * 86_400_000)
  const starts = new Date(day.getFullYear(), day.getMonth(), day.getDate(), 20)
  const { api } = people[by]
  const event = await api.events.saveEvent({
    event_name: name,
    event_description: about,
    event_location: where,
    event_starts_at: starts.toISOString(),
    event_ends_at: new Date(starts.getTime() + 6 * 3_600_000).toISOString(),
    event_avatar: await picture(Math.abs(inDays) * 3 + 1, mood),
  })
  for (const guest of guests) {
    await people[guest].api.events.askToJoin({ event_id: event.id })
    await api.events.approveJoinRequest({ event_id: event.id, user_id: people[guest].id })
  }
  if (invites.length > 0)
    await api.events.invite({ event_id: event.id, user_ids: invites.map(invited => people[invited].id) })
  return event
}

const say = async (people: People, group_chat_id: number, line: Line, sent: number[]) => {
  const { api } = people[line.by]
  const message = await api.chats.saveMessage({
    group_chat_id,
    message_content: line.says,
    ...(line.to !== undefined && { message_reply_id: sent[line.to] }),
    ...(line.shows && { attachments: [await picture(...line.shows)] }),
  })
  const message_id = Number(message.id)
  for (const [name, message_reaction] of Object.entries(line.reactions ?? {}))
    await people[name as Name].api.chats.reactToMessage({ message_id, message_reaction })
  const [attachment] = message.attachments
  if (attachment && line.by === 'gwen') await api.chats.addToAlbum({ message_attachment_id: attachment.id })
  return message_id
}

const shoot = async (people: People, event_id: number, seed: number, shot: Shot) => {
  const { id } = await people[shot.by].api.gallery.uploadPhoto({
    event_id,
    image: await picture(seed, shot.mood),
    event_photo_caption: shot.caption,
  })
  const event_photo_id = Number(id)
  for (const name of shot.likes ?? []) await people[name].api.gallery.likePhoto({ event_photo_id })
  for (const { by, says, replies = [] } of shot.comments ?? []) {
    const comment = await people[by].api.gallery.saveComment({ event_photo_id, event_photo_comment: says })
    for (const [name, reply] of replies)
      await people[name].api.gallery.saveComment({
        event_photo_id,
        event_photo_comment_reply_id: comment.id,
        event_photo_comment: reply,
      })
  }
}

export const signIn = { username: 'olivia', password }
