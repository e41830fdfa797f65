import { glob, readFile } from 'node:fs/promises'
import { rolesThatMay } from '@afterglow/contract/capabilities'
import { expect, expectTypeOf, test } from 'vitest'
import { setPinned } from '../chats/messages/change-message-store.ts'
import { type ChatRow, listAttachments } from '../chats/store.ts'
import { setPhotoHidden } from '../gallery/moderation/hide-store.ts'
import type { Transaction } from '../platform/database/database.ts'
import { requireCapability, requireMember, requireOwner } from './access.ts'
import { listAudit } from './audit/audit-store.ts'
import { insertLink } from './links/links-store.ts'
import { type InEvent, type Manageable, type May, requireMay } from './standing.ts'
import { type EventRow, updateEvent } from './store.ts'

/* Compiled, never run: each call below is an error to the type checker, or `@ts-expect-error` would be one. */

const tx = {} as Transaction
const event = {} as EventRow
const chat = {} as ChatRow
const [details, link, page] = [{}, {}, {}] as [never, never, never]

export const behindClosedDoors = () => [
  // @ts-expect-error An event that nobody proved to manage is not changed.
  updateEvent(tx, event, details),
  // @ts-expect-error Nor does having come in let anybody change it.
  updateEvent(tx, requireMember(event), details),
  // @ts-expect-error Nor does managing an event prove the right to invite.
  insertLink(tx, requireCapability(event, 'manage'), link),
  // @ts-expect-error The log of an event is not for everybody in it.
  listAudit(tx, requireMember(event), page),
  // @ts-expect-error A chat cannot be read by its number alone.
  listAttachments(tx, chat, page),
  // @ts-expect-error Reading a message does not allow pinning it.
  setPinned(tx, requireMay(chat, 'read', 'notInEvent'), 1, true),
  // @ts-expect-error A photo cannot be hidden by its number alone.
  setPhotoHidden(tx, { id: 1 }, true),
]

test('a door returns what it proved, and what stands behind it takes nothing less', () => {
  expectTypeOf(requireMember).returns.toExtend<InEvent>()
  expectTypeOf(requireMember).returns.not.toExtend<Manageable>()
  expectTypeOf(requireOwner).returns.toExtend<Manageable & May<'own'>>()
  expectTypeOf(updateEvent).parameter(1).toExtend<Manageable>()
  expect(() => requireMay({ ...chat, standing: 'asked' }, 'read', 'notInEvent')).toThrow('notInEvent')
  for (const standing of rolesThatMay('read'))
    expect(requireMay({ standing }, 'read', 'notInEvent')).toEqual({ standing })
})

test('nothing but the table of capabilities asks who somebody is', async () => {
  const sources = new URL('../', import.meta.url).pathname
  const asking: string[] = []
  for await (const file of glob('**/*.ts', { cwd: sources, exclude: ['**/*.test.ts'] })) {
    const text = await readFile(sources + file, 'utf8')
    if (/(?:[!=]==?|<>|[^>]=|\bin \() ?'(?:owner|organizer)'|'(?:owner|organizer)' ?[!=]==/.test(text))
      asking.push(file)
  }
  // A former owner stays an organizer, which is written; and a code for coming back names its creator.
  const written = [
    'accounts/returns/transfers-store.ts',
    'accounts/returns/transfers.ts',
    'events/members/ownership-store.ts',
  ]
  expect(asking.sort()).toEqual(written)
})
