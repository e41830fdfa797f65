import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from '../../../server/src/platform/database/database.ts'
import type { DB } from '../../../server/src/platform/database/schema.ts'
import { fillAvatars } from './avatars.ts'
import { fillChats } from './chats.ts'
import { fillEvents } from './events.ts'
import { fillFriends } from './friends.ts'
import { fillGallery } from './gallery.ts'
import { fillGuestLines, fillUsers } from './people.ts'
import { fillSessions } from './sessions.ts'
import type { Size } from './size.ts'

/** Fills a migrated, empty database and reports how long each part took. */
export const fill = async (url: string, size: Size, tell: (line: string) => void = () => {}): Promise<void> => {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  const part = async (name: string, work: Promise<unknown>) => {
    const began = performance.now()
    await work
    tell(`  ${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  await part(
    `${size.users} people`,
    asService(url, kysely => fillUsers(kysely, size.users)),
  )
  await part('their sessions', fillSessions(db))
  await part('friendships', fillFriends(db, size))
  await part(`${size.events} events`, fillEvents(db, size))
  await part('lines to find guests by', asService(url, fillGuestLines))
  await db.query('vacuum (analyze) guest_lines')
  await part('albums, comments', fillGallery(db, size))
  await part(`${size.messages} messages`, fillChats(db, size))
  await part('avatars', fillAvatars(db))
  await db.query('vacuum (analyze) users')
  await db.query('checkpoint')
  await db.end()
}

/** Opens a pool like the service's, whose statement timeout is shorter than filling takes. */
const asService = async (url: string, work: (db: Database) => Promise<unknown>) => {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const db: Database = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  await work(db)
  await db.destroy()
}
