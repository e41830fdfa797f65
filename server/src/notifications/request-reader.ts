import type { Locale } from '@afterglow/contract/languages'
import type { Db } from '../platform/database/database.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { inRegion } from '../words/moments.ts'
import { readerOf, readersAt } from './readers-store.ts'
import type { Reader } from './texts.ts'

const nowhere = { language: null, timezone: 'UTC' }

/** The requester, with the language and time zone of their device. */
export const knownReader = async (db: Db, viewer: Viewer) =>
  (await readersAt(db, [viewer.deviceRow])).get(viewer.deviceRow) ?? readerOf(nowhere)

type ReaderRequest = {
  db: Db
  viewer: Viewer
  languageAsked: Locale | undefined
  speaks(language: Locale): void
}

/** As the request asks, or else as known for its device; the reply says which language it uses. */
export const readerFor = async ({ db, viewer, languageAsked, speaks }: ReaderRequest): Promise<Reader> => {
  const own = await knownReader(db, viewer)
  const reader = { ...own, language: languageAsked ? inRegion(languageAsked, own.timezone) : own.language }
  speaks(reader.language)
  return reader
}
