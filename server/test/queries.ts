import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { findSessions, noteLastUses } from '../src/accounts/sessions/sessions-store.ts'
import { listAlbum } from '../src/albums/album-store.ts'
import { listChats, listChatsWithReading, readChat } from '../src/chats/chat-list-store.ts'
import { readMessages, readPages } from '../src/chats/messages/messages-store.ts'
import { sendMessages } from '../src/chats/messages/send-message-store.ts'
import { moveMarks } from '../src/chats/seen-marks-store.ts'
import { findMessage, listAttachments } from '../src/chats/store.ts'
import { listWaiting } from '../src/events/members/join-requests-store.ts'
import { openMembership } from '../src/events/members/membership-cache.ts'
import { listEvents, readEvent } from '../src/events/store.ts'
import { listComments, listReplies } from '../src/gallery/comments/comments-store.ts'
import { listReactions } from '../src/gallery/comments/reactions-store.ts'
import { findGalleryForBytes, photoOfBytes } from '../src/gallery/duplicates/duplicates-store.ts'
import { listByMoment } from '../src/gallery/lists/moments-store.ts'
import { findPhoto, insertPhoto, listPhotos } from '../src/gallery/store.ts'
import { announce } from '../src/log/announce.ts'
import { readPlaced, readPlacedOf } from '../src/log/changes-sql.ts'
import { searchPeople } from '../src/people/search-store.ts'
import type { Database, Transaction } from '../src/platform/database/database.ts'
import type { DB } from '../src/platform/database/schema.ts'
import { neededAmong } from '../src/platform/media/file-references.ts'
import { fileSources } from '../src/slices.ts'
import { placesHeldBy } from '../src/uploads/sessions-store.ts'

const folder = fileURLToPath(new URL('../queries/', import.meta.url))

const page = { offset: 50, limit: 50 }
const sent = { chatId: 7, userId: 1, content: 'Hello', replyId: undefined, mediaIds: [], key: undefined }
const changes = { after: 10, upTo: 20, kinds: ['message.created'], limit: 100 }

/** Statements composed of parts, each run as the service runs it; a new composed statement gets a line here. */
const asked: Record<string, (db: Transaction & Database) => Promise<unknown>> = {
  'accounts/find-sessions': db => findSessions(db, [Buffer.alloc(32)]),
  'accounts/note-last-uses': db => noteLastUses(db, [{ deviceRow: 3, msAgo: 40 }]),
  'log/announce': db =>
    announce(db, { kind: 'event.updated', audience: 'event', eventId: 7, actorId: 1, subjectId: 7 }),
  'log/read-log': db => readPlaced(db, { after: 10, upTo: 20, events: [1], users: [1] }, openMembership().readWithin),
  'log/read-log-of-a-person': db => readPlacedOf(db, { id: 1, events: [7], organized: [] } as never, changes),
  'events/read': db => readEvent(db, 1, 7),
  'events/list-upcoming': db => listEvents(db, 1, 'upcoming', page),
  'events/list-public': db => listEvents(db, 1, 'public', page),
  'events/list-join-requests': db => listWaiting(db, 1, 7, page),
  'people/search': db => searchPeople(db, 1, 'oliv', page),
  'gallery/find-gallery-for-bytes': db =>
    findGalleryForBytes(db, 1, {
      eventId: 7,
      sums: { sha256: 'ab', videoSha256: undefined },
      placesHeld: placesHeldBy(1, 7, {}),
    }),
  'gallery/find-photo-of-bytes': db => photoOfBytes(db, 7, { sha256: 'ab', videoSha256: undefined }),
  'gallery/find-photo': db => findPhoto(db, 1, 5),
  'gallery/list-newest': db =>
    listPhotos(db, 1, { eventId: 7, takenBy: undefined, newestFirst: true, detailed: true }, page),
  'gallery/list-of-a-person': db =>
    listPhotos(db, 1, { eventId: 7, takenBy: 2, newestFirst: true, detailed: false }, page),
  'gallery/list-by-moment': db =>
    listByMoment(db, 1, { eventId: 7, takenBy: undefined, newestFirst: true, standing: 'guest' } as never, page),
  'gallery/list-album': db => listAlbum(db, { eventId: 7, viewerId: 1 } as never, 0, 100),
  'gallery/insert-photo': db => insertPhoto(db, { eventId: 7, mediaId: 5, takenBy: 1 } as never),
  'gallery/list-comments': db => listComments(db, 1, 5, page),
  'gallery/list-replies': db => listReplies(db, 1, 9, page),
  'gallery/list-comment-reactions': db => listReactions(db, 1, 9, page),
  'chats/list': db => listChats(db, 1, page),
  'chats/list-with-reading': db => listChatsWithReading(db, 1, page),
  'chats/read': db => readChat(db, 1, 7),
  'chats/door-of-a-message': db => findMessage(db, 1, 9),
  'chats/read-pages': db => readPages(db, [{ chatId: 7, viewerId: 1, anchorId: undefined, back: 0, length: 50 }]),
  'chats/read-messages-by-id': db => readMessages(db, [9], 1),
  'chats/list-attachments': db => listAttachments(db, { id: 7 } as never, page),
  'chats/move-marks': db => moveMarks(db, [{ chatId: 7, userId: 1, sequence: 9 }]),
  'chats/send-message': db => sendMessages(db, [sent]),
  'chats/send-message-with-pictures': db => sendMessages(db, [{ ...sent, mediaIds: [5] }]),
  'media/needed-files': db => neededAmong(db, fileSources, ['0a']),
}

/** Each function with the statements that it sends to PostgreSQL. */
export const printQueries = async (): Promise<Map<string, string>> => {
  const printed = new Map<string, string>()
  for (const [name, ask] of Object.entries(asked)) {
    const { db, statements } = openRecorder()
    // Nothing is found, which most of them do not expect.
    await ask(db).catch(() => {})
    printed.set(`${name}.sql`, statements.map(textOf).join('\n'))
  }
  return printed
}

/** `npm run queries`. */
export const writeQueries = async () => {
  await rm(folder, { recursive: true, force: true })
  for (const [name, text] of await printQueries()) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

export const queriesFolder = folder

const openRecorder = () => {
  const statements: CompiledQuery[] = []
  const connection = {
    async executeQuery(query: CompiledQuery) {
      statements.push(query)
      return { rows: [], numAffectedRows: 0n }
    },
    async *streamQuery() {},
  }
  class Recorder extends DummyDriver {
    override async acquireConnection() {
      return connection as never
    }
  }
  const db = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Recorder(),
      createIntrospector: db => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  return { db: db as Transaction & Database, statements }
}

/** Removes the source's indentation, and lines that a part left empty. */
const textOf = ({ sql }: CompiledQuery): string => {
  const lines = sql.split('\n').filter(line => line.trim() !== '')
  const indents = lines.slice(1).map(line => line.length - line.trimStart().length)
  const least = Math.min(...indents, lines[0]?.startsWith(' ') ? lines[0].length - lines[0].trimStart().length : 99)
  const cut = lines.map(line => (/^\s/.test(line) ? line.slice(Math.min(least, line.length)) : line).trimEnd())
  return `${cut.join('\n')};\n`
}
