import pLimit from 'p-limit'
import type { Database } from '../../platform/database/database.ts'
import type { Push } from '../../platform/push/senders.ts'
import { say } from '../../words/words.ts'
import { countUnread } from '../notifications-store.ts'
import { readerOf } from '../readers-store.ts'
import { type NotificationContent, type Reader, textOf } from '../texts.ts'
import { addressesOf } from './addresses-store.ts'
import { takeRolling } from './rings-store.ts'
import type { ActiveDevices } from './routing.ts'

type RollingOptions = { db: Database; push: Pick<Push, 'send' | 'ways'>; activeDevices: ActiveDevices }

/** A title and a body for several notifications, quoting the newest. */
export const summaryOf = (of: 'quiet' | 'folded', newest: NotificationContent, count: number, reader: Reader) => {
  const { title, body } = textOf(newest, reader)
  const phrase = { phrase: [title, body].filter(Boolean).join(': ') }
  return {
    title: say(reader.language, `notifications.summary.${of}`),
    body: say(reader.language, 'notifications.summary.body', { count, newest: phrase }),
  }
}

const atOnce = 8

/**
 * The job that shows silently what did not ring, in one notification that replaces the previous one. It is not retried:
 * the next one covers everything, and the list has it all.
 */
export const openRolling =
  ({ db, push, activeDevices }: RollingOptions) =>
  async ({ userIds }: { userIds: number[] }): Promise<void> => {
    const rolling = new Map((await takeRolling(db, userIds)).map(row => [row.user_id, row]))
    if (rolling.size === 0) return
    const all = await addressesOf(db, [...rolling.keys()])
    const active = await activeDevices(all.map(({ id }) => id))
    const unread = await countUnread(db, [...rolling.keys()])
    const limit = pLimit(atOnce)
    await Promise.all(
      all.map(one =>
        limit(async () => {
          const row = rolling.get(one.user_id)
          if (!row || one.rests || active.has(one.id) || !push.ways.includes(one.address.platform)) return
          const text = summaryOf('folded', row, row.folded, readerOf(one))
          await push.send(one.address, {
            ...text,
            id: `rolling-${row.id}`,
            kind: 'summary',
            link: '/notifications',
            tag: 'rolling',
            unread: unread.get(one.user_id) ?? 0,
            silent: true,
          })
        }),
      ),
    )
  }
