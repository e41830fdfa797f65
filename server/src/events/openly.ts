import { visibility } from '@afterglow/contract/events/event'
import type { Db } from '../platform/database/database.ts'
import { Refused } from '../platform/http/refusals.ts'
import { usableLink } from './links/links.ts'
import { readOpened } from './links/links-store.ts'
import { readEvent } from './store.ts'

/* Pages and pictures shown without a bearer token. */

/** Undefined for a link that admits nobody. */
export const openedBy = async (db: Db, code: string) => {
  try {
    return await readOpened(db, await usableLink(db, code, true))
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

const nobody = 0
export const publicEvent = async (db: Db, id: number) => {
  const event = await readEvent(db, nobody, id)
  return event?.visibility === visibility.public && event.listed ? event : undefined
}
