/** How much stands in a database. One event is the great one: the longest chat, album, thread and queue are its own. */
export type Size = {
  users: number
  /** Events, each with its chat. */
  events: number
  messages: number
  /** Every so manyth message goes to the great event's chat. */
  longEvery: number
  /** People who are in the great event and have never opened its chat. */
  crowd: number
  /** Photos of the great event. */
  album: number
  /** Comments on its first photo; half as many replies, and reactions, to the first of them. */
  thread: number
  /** People who ask to join it. */
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
/** Users 1 to 20 are in each of the first hundred events, so that somebody's list of chats fills a page. */
export const sociable = 20
export const sociableEvents = 100
/** Guests of every event beside those. */
export const guestsEach = 20
/** Photos of every other event that has an album. */
export const photosEach = 60
export const albums = 400

export const longChatLength = ({ messages, longEvery }: Size) => Math.floor(messages / longEvery)
