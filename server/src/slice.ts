import type { RawBuilder } from 'kysely'
import type { Identities } from './accounts/identities.ts'
import type { LastUses } from './accounts/last-uses.ts'
import type { InvitationBy } from './accounts/mail/mail-jobs.ts'
import type { Presence } from './accounts/presence.ts'
import type { Answers } from './accounts/present-answers.ts'
import type { Registration } from './accounts/registration.ts'
import type { SessionCache } from './accounts/session-cache.ts'
import type { Acquaintance } from './events/invitations.ts'
import type { BlockedWith, HoldEvents, Noticing, PicturesOf } from './notifications/notices.ts'
import type { Membership, Showing } from './notifications/payloads.ts'
import type { Realtime } from './notifications/realtime.ts'
import type { Platform } from './open-platform.ts'
import type { Reportable } from './people/reports.ts'
import type { Database, Transaction } from './platform/database/database.ts'
import { type Fate, platformTables } from './platform/database/growing-tables.ts'
import type { ExportPart } from './platform/export/export-part.ts'
import type { openServing } from './platform/http/serve.ts'
import type { Prune } from './platform/jobs/housekeeping.ts'
import type { Task } from './platform/jobs/jobs.ts'
import type { FileSource } from './platform/media/file-references.ts'
import type { PreviewOf } from './platform/web-client/preview.ts'

/** All that a slice has, handed in once: `slices.ts` is the list, and nothing else names every slice. */
export type Slice = {
  name: string
  /** Its tables, each with what becomes of its rows. Only slices to the right may read them. */
  tables: Record<string, Fate>
  /** Which of its tables' rows keep files from the sweeper. */
  files?: readonly FileSource[]
  /** What a person gets of it in an export of their data. */
  exports?: readonly ExportPart[]
  /** How it lets go of a person whose account is deleted; each is safe to repeat. */
  deletion?: {
    /** In the transaction that takes the person's name. */
    withName?(tx: Transaction, username: string): Promise<unknown>
    /** Where they asked for that: takes back what they said and showed. */
    content?(db: Database, userId: number): Promise<unknown>
    /** Everything else of theirs. */
    traces?(db: Database, userId: number): Promise<unknown>
  }
  /** By what is wrong: the rows whose stored count a recount contradicts. */
  recounts?: Record<string, RawBuilder<unknown>>
  /** What the realtime channel shows of its changes. */
  channel?: Showing
  /** Whom its changes may ring for, and in which words. */
  notifications?: Noticing
  /** The doors to what can be reported. */
  reportable?: Partial<Reportable>
  /** Lines like `17 * * * * eraseAccounts`. */
  schedule?: readonly string[]
  /** What slices on either side ask of it, who need not import it for that. */
  gives?(platform: Platform, slices: readonly Slice[]): Partial<Given>
  /** Adds its routes, and says what else runs. */
  open(parts: Parts): Promise<Opened> | Opened
}

/** What slices give each other. */
export type Given = {
  lastUses: LastUses
  sessions: SessionCache
  presence: Presence
  identities: Identities
  answers: Answers
  registration: Registration
  /** Given when notifications are open. */
  realtime: Pick<Realtime, 'whisper' | 'sockets' | 'lag'>
  membership: Membership
  holdEvents: HoldEvents
  invitationBy: InvitationBy
  previewOf: PreviewOf
  blockedWith: BlockedWith
  picturesOf: PicturesOf
  acquaintance: Acquaintance
}

/** What a slice is opened with. It hands each of its routes the two or three things that they use. */
export type Parts = Platform & ReturnType<typeof openServing> & Given & { slices: readonly Slice[] }

export type Opened = {
  gives?: Partial<Given>
  tasks?: Record<string, Task>
  /** Tasks that take minutes, one at a time in a queue of their own. */
  longTasks?: Record<string, Task>
  /** Its own way of removing rows that have had their time, by table. */
  prunes?: Record<string, Prune>
  /** Sends away whoever is connected. Before the last requests are answered. */
  stop?(): Promise<void>
  /** After the last request and the last job. */
  close?(): Promise<void> | void
}

/** One record of what all slices hand in under a name. */
export const merged = <Key extends 'tables' | 'recounts' | 'channel' | 'notifications' | 'reportable'>(
  slices: readonly Slice[],
  key: Key,
) => Object.assign({}, ...slices.map(slice => slice[key])) as NonNullable<Slice[Key]>

/** Every table of the database, with what becomes of its rows. */
export const tablesOf = (slices: readonly Slice[]) => ({ ...platformTables, ...merged(slices, 'tables') })
