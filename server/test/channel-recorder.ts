import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type TextValues, textOf } from '../src/notifications/texts.ts'
import type { Database } from '../src/platform/database/database.ts'
import type { PushMessage } from '../src/platform/push/message.ts'
import { presentable } from './examples.ts'

/* Records channel events and the notifications that they cause, for the AsyncAPI document: `npm run examples`. */

const folder = process.env.RECORD_EXAMPLES

/** The recordings of one test file; the prefix tells them from replies. */
export const channelPrefix = 'channel-'
export type HeardInTests = { events: Record<string, unknown[]>; pushes: Record<string, PushMessage> }
const heard: HeardInTests = { events: {}, pushes: {} }

const write = folder ? join(folder, `${channelPrefix}${randomUUID()}.json`) : undefined
const keep = () => write && writeFileSync(write, JSON.stringify(heard))

/** Keeps the first event of each kind; `told` are the arguments of the Socket.IO event. */
export const keepEvent = (kind: string, told: unknown[], origin: string): void => {
  if (!folder || heard.events[kind]) return
  heard.events[kind] = told.map(each => presentable(each, origin))
  keep()
}

/** Keeps the first notification of each kind, with its English text. */
export const keepNotifications = async (db: Database): Promise<void> => {
  if (!folder) return
  const { rows } = await sql<Parameters<typeof textOf>[0] & { id: number; link: string; tag: string }>`
    select distinct on (kind) id, kind, count, title, body, text_values, link, tag from notifications order by kind, id`.execute(
    db,
  )
  for (const { id, link, tag, ...row } of rows) {
    const words = textOf(row, { language: 'en', timezone: 'Europe/Madrid' })
    const { shown = [] } = (row.text_values ?? {}) as TextValues
    const images = shown.map(photo => `/media/${photo}/preview?e=2000000000&k=a1&s=c2lnbmF0dXJl`)
    const message = { id: String(id), kind: row.kind, ...words, link, tag, unread: 1, images }
    heard.pushes[row.kind] ??= message
  }
  keep()
}
