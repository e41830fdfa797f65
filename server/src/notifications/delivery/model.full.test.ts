import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { enter, type Member } from '../../../test/cast.ts'
import { listen } from '../../../test/channel.ts'
import { openNotifiedApp } from '../../../test/notified.ts'
import { bringIn, evening } from '../../../test/party.ts'

const { app, subscribe, another, quiet } = await openNotifiedApp({ timing: { ringAgainMs: 50, acknowledgeMs: 400 } })

/*
 * Two users with three devices, each either listening on the channel or disconnected, and with a push address. The
 * model knows whether a device's app is active and whether it is there to acknowledge.
 */
type Device = {
  owner: 'gus' | 'remy'
  api: Member['api']
  active: boolean
  listens: boolean
  /** What reached it, as ID and text. */
  rung(): string[]
  pushed(): string[]
  close(): void
  open(): Promise<void>
}

const textOf = (one: { id: number; notification_title: string }) => `${one.id} ${one.notification_title}`

const openDevice = async (owner: Device['owner'], member: Member): Promise<Device> => {
  const browser = await subscribe(member)
  const heard: string[] = []
  let listener: Awaited<ReturnType<typeof listen>> | undefined
  const device: Device = {
    owner,
    api: member.api,
    active: false,
    listens: false,
    rung: () => [...heard, ...(listener?.of('notification.created') ?? []).map(textOf)],
    pushed: () => browser.messages().map(({ id, title }) => `${id} ${title}`),
    close() {
      heard.push(...(listener?.of('notification.created') ?? []).map(textOf))
      listener?.close()
      listener = undefined
    },
    async open() {
      listener = await listen(app, member)
    },
  }
  return device
}

/** Gus with two devices and Remy with one, in an event of Olivia's, and nothing unread. */
const openParty = async (olivia: Member) => {
  const gus = await enter(app, 'gus')
  const remy = await enter(app, 'remy')
  const { id: event_id } = await olivia.api.events.saveEvent(evening())
  for (const member of [gus, remy]) await bringIn(olivia, event_id, member)
  await quiet()
  for (const member of [gus, remy]) await member.api.notifications.readAllNotifications()
  const devices = [
    await openDevice('gus', gus),
    await openDevice('gus', await another(gus, 'laptop')),
    await openDevice('remy', remy),
  ] as const
  return { event_id, devices }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('ring' as const) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('ping' as const), device: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('disconnect' as const), device: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('vanish' as const, 'return' as const), device: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('read' as const), device: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('mute' as const), device: fc.nat(2), on: fc.boolean() }) },
)

test('every due notification rings on exactly the right way of each device, or on both with one id; never on neither', async () => {
  const olivia = await enter(app, 'olivia')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async steps => {
      const { event_id, devices } = await openParty(olivia)
      const muted = { gus: false, remy: false }
      const rungBefore = () => devices.map(device => [device.rung().length, device.pushed().length] as const)

      for (const [number, one] of steps.entries()) {
        const device = 'device' in one ? devices[one.device] : undefined
        if (one.act === 'ping') {
          await device?.api.accounts.ping()
          if (device) device.active = true
        } else if (one.act === 'disconnect') {
          await device?.api.accounts.disconnect()
          if (device) device.active = false
        } else if (one.act === 'vanish') {
          device?.close()
          if (device) device.listens = false
        } else if (one.act === 'return') {
          if (device && !device.listens) await device.open()
          if (device) device.listens = true
        } else if (one.act === 'read') {
          await device?.api.notifications.readAllNotifications()
        } else if (one.act === 'mute') {
          await device?.api.accounts.updateSettings({ user_setting_mute_notification: one.on })
          if (device) muted[device.owner] = one.on
        } else {
          const before = rungBefore()
          await olivia.api.events.saveEvent({ event_id, ...evening({ event_name: `Party ${number}` }) })
          await quiet()
          await sleep(20)
          for (const [at, device] of devices.entries()) {
            const { data } = await device.api.notifications.listNotifications({ page: 1, page_length: 1 })
            const newest = data.map(textOf)
            const [rungs = 0, pushes = 0] = before[at] ?? []
            const got = { rung: device.rung().slice(rungs), pushed: device.pushed().slice(pushes) }
            const due = !muted[device.owner]
            const overChannel = due && device.active && device.listens
            expect({ number, at, got }).toEqual({
              number,
              at,
              got: { rung: overChannel ? newest : [], pushed: due && !overChannel ? newest : [] },
            })
          }
          await sleep(50)
        }
      }
      for (const device of devices) device.close()
    }),
    { numRuns: Number(process.env.MODEL_RUNS ?? 6), endOnFailure: true },
  )
})

const wild = fc.record({
  act: fc.constantFrom('ring' as const, 'ping' as const, 'disconnect' as const, 'vanish' as const, 'return' as const),
  device: fc.nat(2),
  afterMs: fc.nat(60),
})

test('whatever happens at the same time, each device has the newest text of what is unread by one way at least', async () => {
  const olivia = await enter(app, 'olivia')
  await fc.assert(
    fc.asyncProperty(fc.array(wild, { minLength: 10, maxLength: 30 }), async steps => {
      const { event_id, devices } = await openParty(olivia)
      const under: Promise<unknown>[] = []
      for (const [number, { act, device: at, afterMs }] of steps.entries()) {
        const device = devices[at]
        if (act === 'ring')
          under.push(olivia.api.events.saveEvent({ event_id, ...evening({ event_name: `Party ${number}` }) }))
        else if (act === 'ping') under.push(device?.api.accounts.ping() ?? Promise.resolve())
        else if (act === 'disconnect') under.push(device?.api.accounts.disconnect() ?? Promise.resolve())
        else if (act === 'vanish') device?.close()
        else if (device && !device.listens) await device.open()
        if (device && (act === 'vanish' || act === 'return')) device.listens = act === 'return'
        await sleep(afterMs)
      }
      await Promise.all(under)
      await quiet()
      const rings = steps.filter(({ act }) => act === 'ring').length
      for (const device of devices) {
        const { data } = await device.api.notifications.listNotifications({ page: 1, page_length: 50 })
        const unread = data.filter(({ read }) => !read)
        expect(unread.reduce((sum, { notification_count }) => sum + notification_count, 0)).toBe(rings)
        for (const one of unread) expect([...device.rung(), ...device.pushed()]).toContain(textOf(one))
        device.close()
      }
    }),
    { numRuns: Number(process.env.MODEL_RUNS ?? 4), endOnFailure: true },
  )
})
