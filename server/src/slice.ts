import type { RawBuilder } from 'kysely'
import type { InvitationBy } from './accounts/mail/mail-jobs.ts'
import type { AccountReplies } from './accounts/present-replies.ts'
import type { Identities } from './accounts/providers/identities.ts'
import type { Registration } from './accounts/registration/registration.ts'
import type { LastUses } from './accounts/sessions/last-uses.ts'
import type { Presence } from './accounts/sessions/presence.ts'
import type { SessionCache } from './accounts/sessions/session-cache.ts'
import type { ChangePresenters, Membership } from './channel/payloads.ts'
import type { Realtime } from './channel/realtime.ts'
import type { SyncOptions } from './channel/sync.ts'
import type { Cards } from './chats/cards.ts'
import type { AnnouncementsInChat, PhotosSeenAmong } from './events/announcements/announcements.ts'
import type { EventPart } from './events/event-parts.ts'
import type { Acquaintance } from './events/members/invitations.ts'
import type { WaitingCounts } from './events/waiting/waiting.ts'
import type { AreAcquainted, BlockedWith, HoldEvents, NoticeTemplates, PicturesOf } from './notifications/notices.ts'
import type { Platform } from './open-platform.ts'
import type { Reportable } from './people/reports.ts'
import type { Database, Transaction } from './platform/database/database.ts'
import { platformTables, type Retention } from './platform/database/growing-tables.ts'
import type { ExportPart } from './platform/export/export-part.ts'
import type { openServing } from './platform/http/serve.ts'
import type { Prune } from './platform/jobs/housekeeping.ts'
import type { ScheduledTask } from './platform/jobs/job-schedule.ts'
import type { Task } from './platform/jobs/jobs.ts'
import type { FileSource } from './platform/media/file-references.ts'
import type { PreviewOf } from './platform/web-client/preview.ts'

/** How a standing ends: in an event, towards a person, with an account, or with the link that gave it. */
export const endings = [
  ...(['leaving', 'removal', 'sending away', 'a block', 'the end of its maker’s role'] as const),
  ...(['a device signed out', 'signing out everywhere', 'another password', 'deletion', 'suspension'] as const),
  ...(['the end of its link', 'the expiry of its link'] as const),
] as const
export type Ending = (typeof endings)[number]

/** Everything a slice contributes, in one place: `slices.ts` is the list, and nothing else names every slice. */
export type Slice = {
  name: string
  /** Its tables, each with what becomes of its rows. Only slices to the right may read them. */
  tables: Record<string, Retention>
  /**
   * Access that its tables grant for later, and the endings that revoke it. Database triggers and the acts themselves
   * do so; endings.test.ts tries each pair.
   */
  opens?: Record<string, readonly Ending[]>
  /** The rows of its tables that protect files from the sweeper. */
  files?: readonly FileSource[]
  /** Its part of a person's data export. */
  exports?: readonly ExportPart[]
  /** How it erases a person whose account is deleted; each step is idempotent. */
  deletion?: {
    /** In the transaction that removes the person's name. */
    withName?(tx: Transaction, username: string): Promise<unknown>
    /** Deletes their messages and photos, if they asked for it. */
    content?(db: Database, userId: number): Promise<unknown>
    /** Deletes everything else of theirs. */
    traces?(db: Database, userId: number): Promise<unknown>
  }
  /** Erases an event that was deleted thirty days ago; idempotent. */
  erasesEvent?(db: Database, eventId: number): Promise<unknown>
  /** Queries for rows whose stored count differs from a recount, by name of the fault. */
  recounts?: Record<string, RawBuilder<unknown>>
  /** Presents its changes on the realtime channel. */
  channel?(slices: readonly Slice[], platform: Pick<Platform, 'background' | 'log'>): ChangePresenters
  /** Its part of an event: fields of `extra` and of the form. */
  eventPart?: EventPart
  /** Its counts of items that wait for the organizers of an event. */
  waiting?: WaitingCounts
  /** Its cards on messages, by kind. */
  cards?: Cards
  /** Its notifications: recipients and texts. */
  notifications?: NoticeTemplates
  /** The doors to what can be reported. */
  reportable?: Partial<Reportable>
  /** Its recurring tasks. */
  schedule?: readonly ScheduledTask[]
  /** Functions that other slices use without importing it. */
  gives?(platform: Platform, slices: readonly Slice[]): Partial<SharedFunctions>
  /** Adds its routes, and returns what else it runs. Each names what it needs: `parts: Needs<'serve' | 'background'>`. */
  open(parts: Parts): Promise<OpenedSlice> | OpenedSlice
}

/** Functions that slices provide to each other. */
export type SharedFunctions = {
  lastUses: LastUses
  sessions: SessionCache
  presence: Presence
  identities: Identities
  answers: AccountReplies
  registration: Registration
  acknowledgeUpTo: SyncOptions['acknowledgeUpTo']
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

/** Everything available to a slice when it opens. */
export type Parts = Platform & ReturnType<typeof openServing> & SharedFunctions & { slices: readonly Slice[] }

/** The parts that one slice declares to need. */
export type Needs<Key extends keyof Parts> = Pick<Parts, Key>

export type OpenedSlice = {
  gives?: Partial<SharedFunctions>
  tasks?: Record<string, Task>
  /** Tasks that take minutes: one at a time in a queue of their own, beside the lanes. */
  longTasks?: Record<string, Task>
  /** Long tasks that may be unavailable here, for lack of a program: their jobs wait. */
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
