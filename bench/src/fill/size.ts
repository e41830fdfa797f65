/** The amount of data in a database. The great event has the longest chat, album, thread and queue. */
export type Size = {
  users: number
  events: number
  messages: number
  /** The great event's chat has every n-th message. */
  longEvery: number
  /** Guests of the great event who have never opened its chat. */
  crowd: number
  /** Photos of the great event. */
  album: number
  /** Comments on its first photo; the first comment has half as many replies and reactions. */
  thread: number
  /** Pending join requests of the great event. */
  asked: number
}

const small: Size = {
  users: 10_000,
  events: 100,
  messages: 10_000,
  longEvery: 2,
  crowd: 200,
  album: 2_000,
  thread: 1_000,
  asked: 1_000,
}

export const sizes: Record<'tiny' | 'small' | 'large' | 'quick', Size> = {
  tiny: { ...small, users: 2_000, album: 500, thread: 300, asked: 300 },
  small,
  large: {
    users: 100_000,
    events: 5_000,
    messages: 5_000_000,
    longEvery: 5,
    crowd: 5_000,
    album: 100_000,
    thread: 100_000,
    asked: 50_000,
  },
  quick: {
    users: 6_000,
    events: 400,
    messages: 30_000,
    longEvery: 5,
    crowd: 500,
    album: 2_000,
    thread: 1_000,
    asked: 1_000,
  },
}

export const greatEvent = 1
/** Users 1 to 20 are in each of the first hundred events, so that a person's list of chats fills a page. */
export const sociable = 20
export const sociableEvents = 100
/** Guests of every event beside those. */
export const guestsEach = 20
/** Photos in every other album. */
export const photosEach = 60
export const albums = 400

export const longChatLength = ({ messages, longEvery }: Size) => Math.floor(messages / longEvery)
