import fc from 'fast-check'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { enter } from '../../test/cast.ts'
import { listen } from '../../test/channel.ts'
import { bringIn, evening } from '../../test/party.ts'

const app = await openTestApp()

const soon = { timeout: 60_000, interval: 5 }

/** How often rows of the log are read while this runs. */
const readsDuring = async (work: () => Promise<unknown>) => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    const texts = query.mock.calls.map(([asked]) => String((asked as { text?: string } | undefined)?.text ?? asked))
    return texts.filter(text => text.includes('with placed as materialized')).length
  } finally {
    query.mockRestore()
  }
}

test('a change that nobody connected here hears of is not read from the log', async () => {
  const [olivia, gus, remy] = await Promise.all([enter(app, 'olivia'), enter(app, 'gus'), enter(app, 'remy')])
  const theirs = await olivia.api.events.saveEvent(evening())
  const another = await gus.api.events.saveEvent(evening())
  const listener = await listen(app, olivia)
  const write = (member: typeof gus, { group_chat_id }: typeof theirs, message_content: string) =>
    member.api.chats.saveMessage({ group_chat_id, message_content })
  const others = await readsDuring(async () => {
    for (let nth = 0; nth < 20; nth++) await write(gus, another, `To others ${nth}`)
    await bringIn(gus, another.id, remy)
  })
  expect(others).toBe(0)
  await write(olivia, theirs, 'To her')
  await listener.next('message.created', ({ message_content }) => message_content === 'To her')
  expect(listener.of('message.created')).toHaveLength(1)
})

test('a person who enters, leaves and comes back while connected hears each event exactly as long as they are in it', {
  tags: 'slow',
}, async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => enter(app, 'gus')))
  const owner = await enter(app, 'olivia')
  const step = fc.record({
    act: fc.constantFrom('enter', 'leave', 'write', 'write', 'reconnect', 'found'),
    person: fc.nat({ max: people.length - 1 }),
    event: fc.nat({ max: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async steps => {
      const events = await Promise.all(Array.from({ length: 4 }, () => owner.api.events.saveEvent(evening())))
      const inside = events.map(() => new Set<number>())
      const due = [...people, owner].map(() => [] as string[])
      const listeners = await Promise.all([...people, owner].map(person => listen(app, person)))
      const write = async (event: number, message_content: string) => {
        const group_chat_id = events[event]?.group_chat_id ?? 0
        const { id } = await owner.api.chats.saveMessage({ group_chat_id, message_content })
        for (const each of [...(inside[event] ?? []), people.length]) due[each]?.push(id)
      }
      for (const [nth, { act, person, event }] of steps.entries()) {
        const [who, where, listener] = [people[person], events[event], listeners[person]]
        if (!who || !where || !listener) continue
        if (act === 'enter' && !inside[event]?.has(person)) {
          await bringIn(owner, where.id, who)
          inside[event]?.add(person)
          await write(event, `Welcome ${nth}`)
        } else if (act === 'leave' && inside[event]?.delete(person)) {
          await who.api.events.leaveEvent({ event_id: where.id })
        } else if (act === 'write') await write(event, `Step ${nth}`)
        else if (act === 'reconnect') {
          const { live } = listener.states
          listener.channel.reconnect()
          await vi.waitFor(() => expect(listener.states.live).toBeGreaterThan(live), soon)
        } else if (act === 'found') {
          // Their own event, created while they listen.
          const own = await who.api.events.saveEvent(evening())
          const { group_chat_id } = own
          due[person]?.push((await who.api.chats.saveMessage({ group_chat_id, message_content: 'Mine' })).id)
        }
        // Recipients are determined on delivery; so each act is heard, by the owner at least, before the next.
        const heard = () => listeners.map(each => each.of('message.created').map(({ id }) => id))
        await vi.waitFor(() => expect(heard()).toEqual(due), soon)
      }
      for (const listener of listeners) listener.close()
    }),
    { numRuns: 8, endOnFailure: true },
  )
})
