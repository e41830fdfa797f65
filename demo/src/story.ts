import { type Name, type People, password } from './people.ts'
import { picture } from './pictures.ts'

type Line = { by: Name; says: string; to?: number; shows?: string; reactions?: Partial<Record<Name, string>> }

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
    shows: 'pier-at-sunset',
    reactions: { olivia: '😍', ana: '🔥', gus: '🔥' },
  },
  { by: 'rita', says: 'Ten minutes away, save me a lantern!', to: 0 },
  { by: 'gus', says: 'Saved. It is the crooked one.', to: 6, reactions: { rita: '😂' } },
  { by: 'ana', says: 'Sound check done 🎶', shows: 'mirror-ball' },
  { by: 'olivia', says: 'Lights out in five, come to the water.', reactions: { rita: '👍', gus: '👍', remy: '👍' } },
  {
    by: 'rita',
    says: 'This is going straight onto the wall.',
    shows: 'lantern-up-close',
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
  photo: string
  caption?: string
  likes?: Name[]
  comments?: { by: Name; says: string; replies?: [Name, string][] }[]
}

const shots: Shot[] = [
  { by: 'gwen', photo: 'meadow', caption: 'Before anybody came' },
  { by: 'ana', photo: 'bunting', likes: ['olivia', 'remy'] },
  { by: 'rita', photo: 'picnic', likes: ['gwen'] },
  { by: 'remy', photo: 'one-bulb', caption: 'Two hundred bulbs, one ladder', likes: ['olivia', 'ana', 'gwen'] },
  { by: 'rita', photo: 'flowers', caption: 'From my grandmother’s garden', likes: ['gwen', 'olivia'] },
  { by: 'gus', photo: 'sunset', likes: ['olivia'] },
  { by: 'remy', photo: 'bulbs' },
  {
    by: 'olivia',
    photo: 'first-lantern',
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
  {
    by: 'remy',
    photo: 'dance',
    caption: 'Somebody found the good songs',
    likes: ['ana', 'gus', 'rita'],
    comments: [{ by: 'ana', says: 'Me. It was me.' }],
  },
  { by: 'gus', photo: 'sparkler', likes: ['rita'] },
  { by: 'remy', photo: 'two-sparklers' },
  { by: 'ana', photo: 'fire', caption: 'Nobody went home', likes: ['gwen', 'olivia'] },
  { by: 'ana', photo: 'eleven-boats', caption: 'From the pier, at eleven', likes: ['olivia', 'gus', 'gwen'] },
  {
    by: 'gwen',
    photo: 'paper-lanterns',
    caption: 'One crooked lantern',
    likes: ['rita', 'gus', 'olivia'],
    comments: [{ by: 'rita', says: 'Mine!', replies: [['gus', 'Told you.']] }],
  },
  { by: 'gwen', photo: 'long-table', caption: 'The long table', likes: ['gus', 'rita', 'remy', 'olivia'] },
  { by: 'gus', photo: 'toast', caption: 'To the crooked one', likes: ['rita', 'ana'] },
  {
    by: 'rita',
    photo: 'cake',
    caption: 'Before',
    likes: ['remy'],
    comments: [{ by: 'remy', says: 'There is no after. I checked.' }],
  },
  { by: 'gwen', photo: 'candles', likes: ['olivia'] },
  { by: 'ana', photo: 'record', caption: 'The last side', likes: ['gwen', 'remy'] },
  { by: 'olivia', photo: 'lanterns-on-the-lake', likes: ['ana', 'gus', 'rita', 'remy'] },
  {
    by: 'gus',
    photo: 'next-morning',
    caption: 'I said I would clear up. I did not say when.',
    likes: ['olivia', 'gwen'],
  },
]

/** Who comes; Rita never says. */
const replies: { by: Name; event_answer: 'going' | 'maybe'; plus_ones?: number; answer_note?: string }[] = [
  { by: 'olivia', event_answer: 'going' },
  { by: 'gus', event_answer: 'going', answer_note: 'I bring the matches.' },
  { by: 'ana', event_answer: 'going', plus_ones: 1 },
  { by: 'remy', event_answer: 'going' },
  { by: 'gwen', event_answer: 'maybe', answer_note: 'If the baby sleeps.' },
]

/** Plays the evening through the service, in order, and returns what to tell the person who asked for it. */
export const tell = async (
  people: People,
): Promise<{
  eventName: string
  eventId: number
  /** In milliseconds. */
  starts: number
  chatLines: number
  photos: number
  joinLink: string
  /** Of a link that shows the album to anybody. */
  lookLink: string
  /** Of a link that shows the wall on a screen. */
  wallLink: string
}> => {
  const { olivia, gus, sam } = people
  const event = await plan(people, {
    by: 'olivia',
    name: 'Lanterns on the lake',
    about: 'Bring something warm and somebody you like.',
    where: 'The old pier',
    inDays: 3,
    cover: 'lanterns-on-the-lake',
    programme: [
      [0, 'Crêpes', 'Under the bulbs'],
      [1, 'Lanterns', 'The old pier'],
      [2, 'Boats'],
    ],
  })
  for (const other of others) await plan(people, other)
  for (const name of ['gus', 'ana', 'remy', 'gwen', 'rita'] as const) {
    await people[name].api.events.askToJoin({ event_id: event.id })
    await olivia.api.events.approveJoinRequest({ event_id: event.id, user_id: people[name].id })
  }
  for (const { by, ...answer } of replies) await people[by].api.plans.answerEvent({ event_id: event.id, ...answer })
  const grandmother = {
    user_first_name: 'Nonna',
    event_answer: 'going',
    answer_note: 'No fish, a chair near the pier',
  } as const
  await olivia.api.plans.addPerson({ event_id: event.id, ...grandmother, plus_ones: 1 })
  await olivia.api.events.makeOrganizer({ event_id: event.id, user_id: gus.id })
  await sam.api.events.askToJoin({ event_id: event.id })
  await olivia.api.events.invite({ event_id: event.id, user_ids: [people.asha.id] })
  await olivia.api.people.befriend({ user_id: gus.id })
  await gus.api.people.befriend({ user_id: olivia.id })

  const sent: number[] = []
  for (const line of lines) sent.push(await say(people, event.group_chat_id, line, sent))
  sent.push(await ask(people, event.group_chat_id))
  await gus.api.chats.markSeen({ message_id: sent.at(-1) ?? 0 })
  for (const shot of shots) await shoot(people, event.id, shot)
  const { link_url: lookLink } = await olivia.api.links.makeLink({ event_id: event.id, kind: 'look', shows_chat: true })
  for (const kind of [{ kind: 'drop' }, { kind: 'drop', photographer: true }] as const)
    await olivia.api.links.makeLink({ event_id: event.id, ...kind })
  const wallLink = await hangWall(people, event.id)
  const { link_url: joinLink } = await olivia.api.links.makeLink({ event_id: event.id })
  return {
    eventName: event.event_name,
    eventId: event.id,
    starts: Date.parse(event.event_starts_at),
    chatLines: sent.length,
    photos: shots.length + 1,
    joinLink,
    lookLink,
    wallLink,
  }
}

/** The wall with the guests' greetings beside the photos. Returns the link of its screen. */
const hangWall = async ({ olivia }: People, event_id: number) => {
  await olivia.api.wall.saveWall({ event_id, wall_layout: 'pairs', wall_seconds: 6, wall_messages: true })
  const { link_url } = await olivia.api.links.makeLink({ event_id, kind: 'screen', shows_chat: true })
  return link_url
}

/** Breakfast, as the last word of the chat. */
const ask = async (people: People, group_chat_id: number) => {
  const { id } = await people.rita.api.polls.makePoll({
    group_chat_id,
    message_content: 'Breakfast tomorrow: where?',
    poll_choices: ['On the pier', 'At Rémy’s, under the vines', 'In bed'],
  })
  const votes: [Name, number][] = [
    ['gus', 1],
    ['ana', 1],
    ['olivia', 1],
    ['remy', 2],
    ['gwen', 3],
  ]
  for (const [by, choice] of votes)
    await people[by].api.polls.vote({ message_id: Number(id), poll_choice_ids: [choice] })
  return Number(id)
}

type Plan = {
  by: Name
  name: string
  about?: string
  where: string
  inDays: number
  cover: string
  /** Hours after the beginning, what, and where. */
  programme?: [number, string, string?][]
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
    cover: 'picnic',
    guests: ['olivia', 'rita'],
  },
  {
    by: 'ana',
    name: 'The harbour sessions',
    where: 'Quay 4',
    inDays: 17,
    cover: 'record',
    guests: ['olivia', 'gus'],
  },
  { by: 'remy', name: 'Under the vines', where: 'Rémy’s yard', inDays: 24, cover: 'bulbs', invites: ['olivia'] },
  {
    by: 'olivia',
    name: 'Last swim of the year',
    where: 'South shore',
    inDays: -40,
    cover: 'pier-at-sunset',
    guests: ['gus'],
  },
]

const plan = async (people: People, { by, guests = [], invites = [], programme = [], ...planned }: Plan) => {
  const { name, about, where, inDays, cover } = planned
  const day = new Date(Date.now() + inDays * 86_400_000)
  const starts = new Date(day.getFullYear(), day.getMonth(), day.getDate(), 20)
  const { api } = people[by]
  const event = await api.events.saveEvent({
    event_name: name,
    event_description: about,
    event_location: where,
    event_starts_at: starts.toISOString(),
    event_ends_at: new Date(starts.getTime() + 6 * 3_600_000).toISOString(),
    event_programme: programme.map(([hours, programme_title, programme_place]) => ({
      programme_starts_at: new Date(starts.getTime() + hours * 3_600_000).toISOString(),
      programme_title,
      programme_place,
    })),
    event_avatar: await picture(cover),
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
    ...(line.shows && { attachments: [await picture(line.shows)] }),
  })
  const message_id = Number(message.id)
  for (const [name, message_reaction] of Object.entries(line.reactions ?? {}))
    await people[name as Name].api.chats.reactToMessage({ message_id, message_reaction })
  const [attachment] = message.attachments
  if (attachment && line.by === 'gwen') await api.chats.addToAlbum({ message_attachment_id: attachment.id })
  return message_id
}

const shoot = async (people: People, event_id: number, shot: Shot) => {
  const { id } = await people[shot.by].api.gallery.uploadPhoto({
    event_id,
    image: await picture(shot.photo),
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
