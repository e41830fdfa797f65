import { kindOf } from '@afterglow/sdk/files'
import type { Waiting as InOutbox } from '@afterglow/sdk/outbox'
import { openStore } from '../../app/store.ts'
import type { useWords } from '../../app/words.ts'
import type { Message } from '../history/window.ts'

/** A message on its way to the service. */
export type Waiting = InOutbox & {
  userId: number
  content: string
  replyTo?: Message['replied_to']
  /** Or one film, alone. */
  pictures: Blob[]
  /** While it is being sent: the newest sequence that was known then. */
  sentAfter?: number
}

declare module '../../app/storage/database.ts' {
  interface Stores {
    /** Messages on their way, in the order in which they were written. */
    outbox: { key: number; value: Waiting }
  }
}

/** Those that are on their way. `outbox.ts` fills and empties it. */
export const waiting = openStore<readonly Waiting[]>([])

/** Whether one has gone out since this page was opened. */
export const oneArrived = openStore(false)

export const isFilm = (file: Blob) =>
  kindOf({ type: file.type, name: file instanceof File ? file.name : '' }) === 'video'

/** A picture or a film needs words beside it; without any these stand for it and are not shown. */
const pictureOnly = '📷'
const filmOnly = '🎥'
export const standInFor = (files: readonly Blob[]) => (files.some(isFilm) ? filmOnly : pictureOnly)
export const isStandIn = (words: string) => words === pictureOnly || words === filmOnly
/** What is said of a message that has `pictures`, in a list. */
export const wordsOf = (t: ReturnType<typeof useWords>['t'], words: string, pictures: number) => {
  if (pictures === 0 || !isStandIn(words)) return words
  return words === filmOnly ? t('chat.film') : t('chat.pictures', { count: pictures })
}
