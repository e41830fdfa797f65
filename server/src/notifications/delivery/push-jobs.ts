import type { Transaction } from '../../platform/database/database.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import type { LaneOf } from '../../platform/push/push-lanes.ts'
import type { DeviceRow, NewDelivery } from './deliveries-store.ts'

const pushesAJob = 500

/** One job for many pushes, never one for each; a service that hangs only holds up its own lane. */
export const addPushes = async (tx: Transaction, deliveries: readonly NewDelivery[], laneOf: LaneOf) => {
  const pushes = deliveries.filter(delivery => delivery.way === 'push')
  const laneOfDevice = ({ push, endpoint }: DeviceRow) => laneOf(push ?? 'web', endpoint)
  for (const [lane, alike] of Map.groupBy(pushes, ({ device }) => laneOfDevice(device))) {
    for (let from = 0; from < alike.length; from += pushesAJob) {
      const pairs = alike.slice(from, from + pushesAJob).map(one => [one.notificationId, one.device.id])
      await addPushJob(tx, pairs, lane)
    }
  }
}

export const addPushJob = (tx: Transaction, pairs: readonly (readonly number[])[], lane: string, afterMs = 0) =>
  addJob(tx, 'push', { pairs, lane }, { lane, afterMs })
