import type { Logger } from 'pino'
import type { AddressedPayload, ChangePresenters } from '../channel/payloads.ts'
import type { Pair } from './delivery/deliveries-store.ts'
import { countUnread, notificationsById } from './notifications-store.ts'
import { presentNotification } from './present.ts'
import { readersAt } from './readers-store.ts'

type Shows = Pick<Required<ChangePresenters>, 'notification.created' | 'notification.read'>
type Acknowledging = { acknowledge(pairs: readonly Pair[]): Promise<void>; log: Pick<Logger, 'warn'> }

/** Notifications on the channel: new ones on the devices they were sent to, read ones on every device. */
export const showNotifications = ({ acknowledge, log }: Acknowledging): Shows => {
  const gather = gathering(acknowledge, log)
  return {
    'notification.created': async (db, changes) => {
      const rows = await notificationsById(
        db,
        changes.map(change => change.subject_id),
      )
      const readers = await readersAt(
        db,
        changes.flatMap(({ detail }) => detail.devices),
      )
      return new Map(
        changes.flatMap((change): [number, AddressedPayload[]][] => {
          const row = rows.get(change.subject_id)
          if (!row) return []
          const acknowledged = (deviceRow: number) => gather({ notificationId: row.id, deviceRow })
          // One person's devices may use different languages.
          const alike = Map.groupBy(change.detail.devices as number[], device => JSON.stringify(readers.get(device)))
          const shown = [...alike.values()].flatMap(devices => {
            const reader = readers.get(devices[0] ?? 0)
            return reader
              ? [{ payload: presentNotification(row, reader), to: [row.user_id], devices, acknowledged }]
              : []
          })
          return [[change.id, shown]]
        }),
      )
    },

    'notification.read': async (db, changes, recipientsOf) => {
      const users = changes.flatMap(change => recipientsOf(change).map(({ id }) => id))
      const unread = await countUnread(db, [...new Set(users)])
      return new Map(
        changes.map(change => [
          change.id,
          recipientsOf(change).map(({ id }) => ({
            payload: { notification_ids: change.detail.ids, unread_count: unread.get(id) ?? 0 },
            to: [id],
          })),
        ]),
      )
    },
  }
}

/** Acknowledgements that arrive together are one statement: a message to a thousand phones brings a thousand. */
const gathering = (acknowledge: Acknowledging['acknowledge'], log: Pick<Logger, 'warn'>) => {
  let waiting: Pair[] = []
  const flush = () => {
    const pairs = waiting
    waiting = []
    acknowledge(pairs).catch(err => log.warn({ err }, 'acknowledgements were lost; their pushes go out as well'))
  }
  return (pair: Pair) => {
    if (waiting.push(pair) === 1) setTimeout(flush, gatherMs)
  }
}

const gatherMs = 20
