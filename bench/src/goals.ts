import type { Figure } from './figures.ts'

/** A row of the table. */
export type Goal = {
  id: string
  work: string
  figure: Figure
  /** Judged by the ratio to the ceiling in the same round, not by the figure itself. */
  isRatio?: true
  /** Absent if the row is only informative. */
  floor?: number
  aim?: number
}

type Bare = Omit<Goal, 'id'>
const plain = (figure: Figure, floor: number, aim: number, work: string): Bare => ({ figure, floor, aim, work })
const ratio = (figure: Figure, floor: number, aim: number, work: string): Bare => ({
  ...plain(figure, floor, aim, work),
  isRatio: true,
})

/** Everything measured besides the evening: floor, aim and work; for a ratio, the ceiling follows the slash. */
const rows = {
  send: ratio('rate', 0.95, 1.2, 'POST message under a key, random chats / the same transaction by 16 clients'),
  'send.one': ratio('rate', 3, 4, 'POST message under a key, one chat / the same transaction by 16 clients'),
  'send.alone': ratio('p50', 3, 2, 'POST message under a key, one sender, p50 / the same transaction by one client'),
  page: ratio('rate', 2, 3, '50 messages with extra, all chats at random / Fastify + one SQL building the same JSON'),
  photos: ratio('rate', 1, 1.5, '50 photos with extra, random albums / Fastify + one SQL building the same JSON'),
  account: ratio('rate', 0.8, 1.4, 'GET account, 40 000 people in turn / bare Fastify + one primary-key select'),
  room: ratio('rate', 1, 2, 'messages to 500 listeners, 4 at once, stored and heard / bare ws sending the same'),
  'room.32': ratio('rate', 3, 4, 'messages to 500 listeners, 32 at once, stored and heard / bare ws sending the same'),
  rooms: ratio('rate', 0.45, 1, '100 rooms of 50, each a message after the other, stored and heard / bare ws'),
  'rooms.slowest': plain('multiple', 1.5, 1, 'p50 of the slowest of these rooms, as a multiple of the median room’s'),
  reconnect: ratio('time', 3.5, 2, '5 000 come back, until all are told "ready" / as many handshakes of a bare ws'),
  'beside.uploads': ratio('p99', 3, 2, 'page of messages while two uploads of 12 megapixels decode, p99 / alone'),
  'beside.sign-ins': ratio('p99', 3, 2, 'page of messages while 8 sign in, p99 / alone'),
  'beside.reader': ratio('p99', 3, 2, 'page of messages while one account reads what costs most, as its limits let it'),
  photo: ratio('rate', 1.3, 1.5, 'upload of 12 megapixels → 200, two at once / vipsthumbnail (else sharp) once a size'),
  'files.zip': ratio('rate', 0.9, 1.5, 'album of 40 photos as a zip / the same full-size files one after the other'),
  'files.full': ratio('rate', 0.9, 1, 'a photo in full size / the same bytes as a plain file'),
  'growth.page': ratio('p50', 1.4, 1.1, 'newest page of messages over 5 million, p50 / over 10 thousand'),
  'growth.chats': ratio('p50', 1.4, 1.1, 'list of chats, p50 / over 10 thousand messages'),
  'growth.words': ratio('p50', 1.4, 1.1, 'messages of a chat by a word, p50 / over 10 thousand messages'),
  'growth.people': ratio('p50', 1.4, 1.1, 'search for people by name, p50 / over 10 thousand messages'),
  'growth.upload': ratio('p50', 1.4, 1.1, 'upload of 12 megapixels, p50 / over 10 thousand messages'),
  'growth.deep': ratio('p50', 1.3, 1.1, 'last thousand pages of the longest chat, p50 / its first thousand'),
  start: plain('time', 2.5, 1, 'second start to first 200, database included'),
  memory: plain('memory', 160, 120, 'memory of the server process after start'),
  endurance: plain('multiple', 2, 1.5, 'memory after half an hour of load and one minute of rest / at the start'),
  'endurance.slope': plain('slope', 1, 0, 'how the server process grows in their last two thirds'),
  crowd: plain('people', 12_800, 25_000, 'people at parties who are served: reads p99 ≤ 250 ms, sends ≤ 300'),
}

export type RowId = keyof typeof rows

export const goalOf = (id: RowId): Goal => ({ id, ...rows[id] })
