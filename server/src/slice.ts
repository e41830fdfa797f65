import type { RawBuilder } from 'kysely'
import type { InvitationBy } from './accounts/mail/mail-jobs.ts'
import type { Answers } from './accounts/present-answers.ts'
import type { Identities } from './accounts/providers/identities.ts'
import type { Registration } from './accounts/registration/registration.ts'
import type { LastUses } from './accounts/sessions/last-uses.ts'
import type { Presence } from './accounts/sessions/presence.ts'
import type { SessionCache } from './accounts/sessions/session-cache.ts'
import type { Membership, Showing } from './channel/payloads.ts'
import type { Realtime } from './channel/realtime.ts'
import type { Syncing } from './channel/sync.ts'
import type { Cards } from './chats/cards.ts'
import type { AnnouncementsInChat, PhotosSeenAmong } from './events/announcements/announcements.ts'
import type { EventPart } from './events/event-parts.ts'
import type { Acquaintance } from './events/members/invitations.ts'
import type { WaitingCounts } from './events/waiting/waiting.ts'
import type { AreAcquainted, BlockedWith, HoldEvents, Noticing, PicturesOf } from './notifications/notices.ts'
import type { Platform } from './open-platform.ts'
import type { Reportable } from './people/reports.ts'
import type { Database, Transaction } from './platform/database/database.ts'
import { type Fate, platformTables } from './platform/database/growing-tables.ts'
import type { ExportPart } from './platform/export/export-part.ts'
import type { openServing } from './platform/http/serve.ts'
import type { Prune } from './platform/jobs/housekeeping.ts'
import type { Scheduled } from './platform/jobs/job-schedule.ts'
import type { Task } from './platform/jobs/jobs.ts'
import type { FileSource } from './platform/media/file-references.ts'
import type { PreviewOf } from './platform/web-client/preview.ts'

/** How somebody's standing ends: in an event, with somebody, or by what becomes of their account. */
export const endings = [
  ...(['leaving', 'removal', 'sending away', 'a block', 'the end of its maker’s role'] as const),
  ...(['a device signed out', 'signing out everywhere', 'another password', 'deletion', 'suspension'] as const),
] as const
export type Ending = (typeof endings)[number]

/** Everything a slice contributes, in one place: `slices.ts` is the list, and nothing else names every slice. */
export type Slice = {
  name: string
  /** Its tables, each with what becomes of its rows. Only slices to the right may read them. */
  tables: Record<string, Fate>
  /**
   * What of its tables opens something later for somebody, by what it is, and which ends of their standing end it. The
   * triggers of the database and the acts themselves do so; endings.test.ts tries each with each.
   */
  opens?: Record<string, readonly Ending[]>
  /** Which rows of its tables keep files from being swept. */
  files?: readonly FileSource[]
  /** What a person's data export contains of it. */
  exports?: readonly ExportPart[]
  /** How it removes a person whose account is deleted; each step is safe to repeat. */
  deletion?: {
    /** In the transaction that removes the person's name. */
    withName?(tx: Transaction, username: string): Promise<unknown>
    /** If they asked for it: deletes what they said and showed. */
    content?(db: Database, userId: number): Promise<unknown>
    /** Everything else of theirs. */
    traces?(db: Database, userId: number): Promise<unknown>
  }
  /** Removes what it knows of an event that was deleted thirty days ago; safe to repeat. */
  erasesEvent?(db: Database, eventId: number): Promise<unknown>
  /** By name of the fault: the rows whose stored count differs from a recount. */
  recounts?: Record<string, RawBuilder<unknown>>
  /** What the realtime channel shows of its changes. */
  channel?(slices: readonly Slice[], platform: Pick<Platform, 'background' | 'log'>): Showing
  /** What it contributes to an event: fields of `extra` and of the form. */
  eventPart?: EventPart
  /** What of it waits for the organizers of an event. */
  waiting?: WaitingCounts
  /** What it hangs on messages, by kind. */
  cards?: Cards
  /** For whom its changes may ring, and in which words. */
  notifications?: Noticing
  /** The doors to what can be reported. */
  reportable?: Partial<Reportable>
  /** Which of its tasks run again and again. */
  schedule?: readonly Scheduled[]
  /** What other slices use of it without importing it. */
  gives?(platform: Platform, slices: readonly Slice[]): Partial<Given>
  /** Adds its routes, and returns what else it runs. Each names what it needs: `parts: Needs<'serve' | 'background'>`. */
  open(parts: Parts): Promise<Opened> | Opened
}

/** What slices provide to each other. */
export type Given = {
  lastUses: LastUses
  sessions: SessionCache
  presence: Presence
  identities: Identities
  answers: Answers
  registration: Registration
  acknowledgeUpTo: Syncing['acknowledgeUpTo']
  /** Available once the channel is open. */
  realtime: Pick<Realtime, 'whisper' | 'sockets' | 'lag'>
  membership: Membership
  holdEvents: HoldEvents
  invitationBy: InvitationBy
  previewOf: PreviewOf
  blockedWith: BlockedWith
  areAcquainted: AreAcquainted
  picturesOf: PicturesOf
  photosSeenAmong: PhotosSeenAmong
  announcementsInChat: AnnouncementsInChat
  acquaintance: Acquaintance
}

/** What there is to open slices with. */
export type Parts = Platform & ReturnType<typeof openServing> & Given & { slices: readonly Slice[] }

/** What a slice says it needs of them. */
export type Needs<Key extends keyof Parts> = Pick<Parts, Key>

export type Opened = {
  gives?: Partial<Given>
  tasks?: Record<string, Task>
  /** Tasks that take minutes, one at a time in a queue of their own, beside what has a lane. */
  longTasks?: Record<string, Task>
  /** Long tasks that may be missing here, as when a program is: their jobs wait. */
  longTaskNames?: readonly string[]
  /** Its own way of removing expired rows, by table. */
  prunes?: Record<string, Prune>
  /** Disconnects everybody. Called before the last requests are answered. */
  stop?(): Promise<void>
  /** Called after the last request and the last job. */
  close?(): Promise<void> | void
}

/** Merges what all slices contribute under one name into a record. */
export const merged = <Key extends 'tables' | 'cards' | 'recounts' | 'notifications' | 'reportable' | 'waiting'>(
  slices: readonly Slice[],
  key: Key,
) => Object.assign({}, ...slices.map(slice => slice[key])) as NonNullable<Slice[Key]>

/** Every table of the database, with what becomes of its rows. */
export const tablesOf = (slices: readonly Slice[]) => ({ ...platformTables, ...merged(slices, 'tables') })
