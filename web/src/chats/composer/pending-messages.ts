import { kindOf } from '@afterglow/sdk/files'
import type { Waiting as InOutbox } from '@afterglow/sdk/outbox'
import { openStore } from '../../app/store.ts'
import type { useWords } from '../../app/words.ts'
import type { Message } from '../history/window.ts'

export type PendingMessage = InOutbox & {
  userId: number
  content: string
  replyTo?: Message['replied_to']
  /** Alternatively one film, alone. */
  pictures: Blob[]
  /** The newest sequence known when it was sent. */
  sentAfter?: number
}

declare module '../../app/storage/database.ts' {
  interface Stores {
    /** Pending messages, in the order in which they were written. */
    outbox: { key: number; value: PendingMessage }
  }
}

/** The pending messages. `outbox.ts` fills and empties it. */
export const waiting = openStore<readonly PendingMessage[]>([])

/** True once one has been sent since this page was opened. */
export const oneArrived = openStore(false)

export const isFilm = (file: Blob) =>
  kindOf({ type: file.type, name: file instanceof File ? file.name : '' }) === 'video'

/** A picture or a film needs a text beside it; this placeholder is not shown. */
const pictureOnly = '📷'
const filmOnly = '🎥'
export const standInFor = (files: readonly Blob[]) => (files.some(isFilm) ? filmOnly : pictureOnly)
export const isStandIn = (words: string) => words === pictureOnly || words === filmOnly
/** The text of a message with `pictures`, in a list. */
export const wordsOf = (t: ReturnType<typeof useWords>['t'], words: string, pictures: number) => {
  if (pictures === 0 || !isStandIn(words)) return words
  return words === filmOnly ? t('chat.film') : t('chat.pictures', { count: pictures })
}
