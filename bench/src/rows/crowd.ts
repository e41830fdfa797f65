import { setTimeout as sleep } from 'node:timers/promises'
import { told } from '../figures.ts'
import type { RowGroup } from '../fixture.ts'
import { goalOf } from '../goals.ts'
import { meter } from '../meter.ts'
import { model, simulateParty } from '../party.ts'
import { type Guest, openHost, openPhones } from '../phones.ts'
import { type Service, startService } from '../service.ts'
import { openUploads } from '../uploads.ts'

const limits = { read: 250, send: 300 }
/**
 * The number of people doubles at most this often; then the interval between the last success and the first failure is
 * bisected.
 */
const doublings = 5
const halvings = 2
/** A rest after a failed step lets its pending work finish. */
const restMs = 15_000

/** More and more people on one instance, until they wait too long or something fails; then the bisection. */
export const crowd: RowGroup = {
  ids: ['crowd'],
  onlyWhenNamed: true,
  async *duels({ scratch, random, quick, processes }) {
    const service = await startService(`${scratch}/crowd`, { processes })
    const guests: Guest[] = []
    const { unseen } = await openUploads(1600)
    const [first, seconds] = quick ? [20, 5] : [3200, 120]
    const isServed = async (count: number) => {
      await invite(service, guests, count)
      const phones = openPhones(service.port)
      const spent = meter(service)
      await simulateParty(guests.slice(0, count), seconds, { phones, random, unseen })
      const [read, send] = [phones.of('read').p99, phones.of('send').p99]
      const { cpu = 0 } = spent(phones.count())
      const broke = phones.refused[0] ?? (read > limits.read || send > limits.send ? 'they wait too long' : undefined)
      console.error(
        `  ${count} people: reads ${read.toFixed(0)} ms, sends ${send.toFixed(0)} ms at p99, ${(phones.count() / seconds).toFixed(1)} requests a second of ${cpu.toFixed(2)} ms CPU; ${broke ?? 'served'}`,
      )
      if (broke) await sleep(restMs)
      return !broke
    }
    let [served, broken, count] = [0, Number.POSITIVE_INFINITY, first as number]
    for (let nth = 0; nth <= (quick ? 1 : doublings); nth++, count *= 2) {
      if (!(await isServed(count))) {
        broken = count
        break
      }
      served = count
    }
    for (let nth = 0; nth < halvings && Number.isFinite(broken); nth++) {
      count = Math.round((served + broken) / 2)
      if (await isServed(count)) served = count
      else broken = count
    }
    await service.stop()
    yield told(goalOf('crowd'), { people: served })
  },
}

/** They join by a link with just a name, as guests do. */
const invite = async ({ port }: Service, guests: Guest[], count: number) => {
  const phones = openPhones(port)
  const host = await openHost(port)
  while (guests.length < count) {
    const { event, chat, code } = await host.makeEvent()
    const many = Math.min(model.peopleAnEvent, count - guests.length)
    for (let nth = 0; nth < many; nth += 10)
      guests.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(10, many - nth) }, (_, n) =>
            phones.join(code, { event, chat }, `Guest ${nth + n}`),
          ),
        )),
      )
  }
}
