import { seensShownMax } from '@afterglow/contract/limits'
import type { ChannelEvents } from '@afterglow/contract/realtime'
import type { Member } from './cast.ts'
import type { ReceivedEvent } from './channel.ts'

/*
 * A client's screen of an event, and how the channel's events change it. Every rule may be applied to a screen that
 * already shows the act.
 */

type Message = ChannelEvents['message.created']
type Chat = ChannelEvents['group.updated']
type Photo = ChannelEvents['photo.created']
type Comment = ChannelEvents['comment.created']
type SeenUser = ChannelEvents['message.seen']['user']

export type Screen = {
  /** Newest first. */
  messages: Message[]
  /** How far each person has read. */
  marks: Map<number, { sequence: number; user: SeenUser }>
  /** Last active first. */
  chats: Chat[]
  /** Newest first. */
  photos: Photo[]
  /** On a photo newest first, below a comment oldest first. */
  comments: Map<string, Comment[]>
  /** Lists of comments that appeared with their parent: loaded when somebody opens them, not before. */
  unopened: Set<string>
}

const paged = { page: 1, page_length: 100 }
const sequenceOf = ({ extra }: Message) => extra?.sequence ?? 0
const seenUserOf = ({ user_username: _, user_visible: __, ...user }: Message['user']): SeenUser => user

export const load = async ({ extra: api }: Member, event_id: number, group_chat_id: number): Promise<Screen> => {
  const screen: Screen = {
    messages: (await api.chats.listMessages({ group_chat_id, ...paged })).data,
    marks: new Map(),
    chats: (await api.chats.listChats(paged)).data,
    photos: (await api.gallery.listPhotos({ event_id, ...paged })).data,
    comments: new Map(),
    unopened: new Set(),
  }
  for (const { id } of screen.photos) {
    const gone = { data: [] }
    const { data } = await api.gallery.listComments({ event_photo_id: Number(id), ...paged }).catch(() => gone)
    screen.comments.set(`photo ${id}`, data)
    for (const { id } of data) {
      const { data } = await api.gallery.listReplies({ event_photo_comment_id: id, ...paged }).catch(() => gone)
      screen.comments.set(`comment ${id}`, data)
    }
  }
  for (const message of screen.messages) noteMarks(screen, message)
  return screen
}

const noteMark = ({ marks }: Screen, user: SeenUser, sequence: number) => {
  marks.set(user.id, { sequence: Math.max(sequence, marks.get(user.id)?.sequence ?? 0), user })
}
/** An author has seen all earlier messages. */
const noteMarks = (screen: Screen, message: Message) => {
  for (const { user } of message.seens) noteMark(screen, user, sequenceOf(message))
  noteMark(screen, seenUserOf(message.user), sequenceOf(message))
}

/** A fresh screen without the lists that the other one has not opened. */
export const asOpened = (fresh: Screen, { unopened }: Screen): Screen => {
  const comments = new Map(fresh.comments)
  for (const place of unopened) {
    if (place.startsWith('photo ')) for (const { id } of comments.get(place) ?? []) comments.delete(`comment ${id}`)
    comments.delete(place)
  }
  return { ...fresh, comments }
}

/** The screen for comparison: seen marks replace the lists of people who have seen. */
export const settled = (screen: Screen) => {
  const furthestFirst = [...screen.marks.values()].sort((a, b) => b.sequence - a.sequence || a.user.id - b.user.id)
  const seensOf = (message: Message) =>
    furthestFirst
      .filter(({ sequence, user }) => sequence >= sequenceOf(message) && user.id !== Number(message.user.id))
      .slice(0, seensShownMax)
      .map(({ user }) => ({ user }))
  const messages = screen.messages.map(message => ({ ...message, seens: seensOf(message) }))
  const chats = screen.chats.map(chat => {
    const latest = messages.find(({ id }) => id === chat.latest_message?.id)
    return latest ? { ...chat, latest_message: latestOf(latest) } : chat
  })
  return { messages, chats, photos: screen.photos, comments: Object.fromEntries(screen.comments) }
}

/** A message as in a list of chats. */
const latestOf = ({ extra: _, replied_to, reactions, attachments, ...message }: Message): Chat['latest_message'] => ({
  ...message,
  replied_to: replied_to && { ...replied_to, user: seenUserOf(replied_to.user) },
  reactions: reactions.map(({ message_reaction: _, ...reaction }) => reaction),
  attachments: attachments.map(({ extra: _, ...attachment }) => attachment),
})

/** Applies an event to the screen of `me`. */
export const hear = (screen: Screen, heard: ReceivedEvent, me: number): void => {
  switch (heard.kind) {
    case 'message.created':
      hearMessage(screen, heard.payload, me)
      break
    case 'message.updated':
    case 'message.deleted':
    case 'message.reacted':
      replaceMessage(screen, heard.payload)
      break
    case 'message.seen':
      hearSeen(screen, heard.payload, me)
      break
    case 'group.updated':
      screen.chats = screen.chats.map(chat => (chat.id === heard.payload.id ? heard.payload : chat))
      break
    case 'photo.created':
      if (has(screen.photos, heard.payload)) screen.photos = replaced(screen.photos, heard.payload)
      else {
        screen.photos = [heard.payload, ...screen.photos].sort((a, b) => Number(b.id) - Number(a.id))
        comeIntoView(screen, `photo ${heard.payload.id}`, Number(heard.payload.event_photo_comments_count))
      }
      break
    case 'photo.updated':
    case 'photo.liked':
      screen.photos = replaced(screen.photos, heard.payload)
      break
    case 'photo.deleted':
      screen.photos = screen.photos.filter(({ id }) => id !== heard.payload.id).map(alone(heard.payload.id))
      for (const { id } of screen.comments.get(`photo ${heard.payload.id}`) ?? []) goOutOfView(screen, `comment ${id}`)
      goOutOfView(screen, `photo ${heard.payload.id}`)
      break
    case 'comment.created':
      hearComment(screen, heard.payload)
      break
    case 'comment.updated':
    case 'comment.reacted':
      for (const [place, list] of screen.comments) screen.comments.set(place, replaced(list, heard.payload))
      break
    case 'comment.deleted':
      goOutOfView(screen, `comment ${heard.payload.id}`)
      for (const [place, list] of screen.comments)
        screen.comments.set(
          place,
          list.filter(({ id }) => id !== heard.payload.id),
        )
      break
  }
}

const comeIntoView = ({ comments, unopened }: Screen, place: string, count: number) => {
  if (count > 0) unopened.add(place)
  else comments.set(place, [])
}
const goOutOfView = ({ comments, unopened }: Screen, place: string) => {
  comments.delete(place)
  unopened.delete(place)
}

const has = <Row extends { id: unknown }>(rows: readonly Row[], { id }: Row) => rows.some(row => row.id === id)
const replaced = <Row extends { id: unknown }>(rows: readonly Row[], row: Row) =>
  rows.map(each => (each.id === row.id ? row : each))

/** A deleted photo has no duplicates. */
const alone = (gone: string) => (photo: Photo) =>
  photo.extra?.same_as === gone ? { ...photo, extra: { ...photo.extra, same_as: null } } : photo

const hearMessage = (screen: Screen, message: Message, me: number) => {
  if (has(screen.messages, message)) replaceMessage(screen, message)
  else if (screen.messages.every(({ group_chat_id }) => group_chat_id === message.group_chat_id)) {
    screen.messages = [message, ...screen.messages].sort((a, b) => sequenceOf(b) - sequenceOf(a))
    noteMarks(screen, message)
  }
  const chat = screen.chats.find(({ id }) => id === Number(message.group_chat_id))
  const sequence = sequenceOf(message)
  if (!chat?.extra) return
  const rest = screen.chats.filter(each => each !== chat)
  if (sequence <= chat.extra.last_sequence) {
    screen.chats = [chat, ...rest]
    return
  }
  const mine = message.user.id === me
  const unread_count = mine ? 0 : chat.extra.unread_count + 1
  const seen_sequence = mine ? sequence : chat.extra.seen_sequence
  const extra = { ...chat.extra, last_sequence: sequence, unread_count, seen_sequence }
  screen.chats = [{ ...chat, latest_message: latestOf(message), extra }, ...rest]
}

/** Replies show its current text; a quote of a hidden message shows nothing to anybody. */
const replaceMessage = (screen: Screen, message: Message) => {
  if (!has(screen.messages, message)) return
  noteMarks(screen, message)
  const { id, updated_at } = message
  const message_content = message.extra?.hidden ? '' : message.message_content
  screen.messages = replaced(screen.messages, message).map(each =>
    each.replied_to?.id === id ? { ...each, replied_to: { ...each.replied_to, message_content, updated_at } } : each,
  )
}

const hearSeen = (
  screen: Screen,
  { group_chat_id, seen_sequence, user }: ChannelEvents['message.seen'],
  me: number,
) => {
  if (screen.messages.some(message => message.group_chat_id === String(group_chat_id)))
    noteMark(screen, user, seen_sequence)
  if (user.id !== me) return
  screen.chats = screen.chats.map(chat => {
    if (chat.id !== group_chat_id || !chat.extra || seen_sequence <= chat.extra.seen_sequence) return chat
    // group.updated says how many messages remain after a mark that stops short.
    const unread_count = seen_sequence >= chat.extra.last_sequence ? 0 : chat.extra.unread_count
    return { ...chat, extra: { ...chat.extra, seen_sequence, unread_count } }
  })
}

const hearComment = (screen: Screen, comment: Comment) => {
  const { comments } = screen
  const { event_photo_id, reply_to } = comment.extra ?? { event_photo_id: 0, reply_to: null }
  const place = reply_to === null ? `photo ${event_photo_id}` : `comment ${reply_to}`
  const list = comments.get(place)
  if (!list) return
  if (has(list, comment)) {
    comments.set(place, replaced(list, comment))
    return
  }
  const newest = reply_to === null ? -1 : 1
  comments.set(
    place,
    [...list, comment].sort((a, b) => newest * (a.id - b.id)),
  )
  if (reply_to === null) comeIntoView(screen, `comment ${comment.id}`, comment.event_photo_comment_replies_count)
}
