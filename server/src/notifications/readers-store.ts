import { type Locale, languages, localeOf } from '@afterglow/contract/languages'
import { sql } from 'kysely'
import { type Db, idList } from '../platform/database/database.ts'
import { inRegion } from '../words/moments.ts'
import type { Reader } from './texts.ts'

/* The language and time zone in which people read: their device's, else their account's, else the instance's. */

let ofInstance: Locale = languages[0]
/** Set once, at startup. */
export const setDefaultLanguage = (language: Locale) => {
  ofInstance = language
}

export const readerOf = (row: { language: string | null; timezone: string }): Reader => ({
  language: inRegion(localeOf(row.language ?? '') ?? ofInstance, row.timezone),
  timezone: row.timezone,
})

/** By device. */
export const readersAt = async (db: Db, deviceRows: readonly number[]): Promise<ReadonlyMap<number, Reader>> => {
  const { rows } = await sql<{ id: number; language: string | null; timezone: string }>`
    select d.id, coalesce(d.language, u.language) as language, d.timezone
    from unnest(${idList(deviceRows)}) asked (id) join devices d on d.id = asked.id join users u on u.id = d.user_id`.execute(
    db,
  )
  return new Map(rows.map(row => [row.id, readerOf(row)]))
}

/** A reader without a device, such as of a mail or an export. */
export const readerByAccount = async (db: Db, userId: number): Promise<Reader> => {
  const { rows } = await sql<{ language: string | null; timezone: string }>`
    select coalesce(u.language, (select d.language from devices d where d.user_id = u.id and d.language is not null
      order by d.last_used_at desc limit 1)) as language, u.timezone
    from users u where u.id = ${userId}`.execute(db)
  return readerOf(rows[0] ?? { language: null, timezone: 'UTC' })
}
