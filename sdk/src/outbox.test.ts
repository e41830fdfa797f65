import { expect, test } from 'vitest'
import { Unsendable } from './failure.ts'
import { openOutbox, type Unsent } from './outbox.ts'

type Act = Unsent & { about: string }

const openActs = (send: (act: Act) => Promise<unknown>, stored: Act[] = []) => {
  let waiting: readonly Act[] = []
  const kept = new Map(stored.map(act => [act.at, act]))
  const outbox = openOutbox<Act>({
    send,
    laneOf: ({ about }) => about,
    retryDelays: [5],
    onChange: now => {
      waiting = now
    },
    storage: {
      all: async () => [...kept.values()],
      put: async act => kept.set(act.at, act),
      remove: async at => kept.delete(at),
    },
  })
  return { outbox, kept, waiting: () => waiting }
}

test('what cannot get through holds up nothing that is about something else', async () => {
  const sent: string[] = []
  const { outbox, waiting } = openActs(async ({ about }) => {
    if (about === 'poll') throw new TypeError('the network is away')
    sent.push(about)
  })
  for (const about of ['poll', 'photo', 'poll', 'chat']) await outbox.post({ about })
  await expect.poll(() => sent).toEqual(['photo', 'chat'])
  expect(waiting().map(({ about }) => about)).toEqual(['poll', 'poll'])
  outbox.close()
})

test('what this version cannot send steps aside with its words, and is stored for the next one', async () => {
  const act = { at: 1, key: 'one', about: 'dance' }
  const sent: number[] = []
  const { outbox, kept, waiting } = openActs(
    async ({ at, about }) => {
      if (about === 'dance' && at === 1) throw new Unsendable('Not by me')
      sent.push(at)
    },
    [act, { ...act, at: 2, key: 'two' }],
  )
  await outbox.load()
  await expect.poll(() => sent).toEqual([2])
  expect(waiting()).toEqual([{ ...act, refused: 'Not by me' }])
  expect([...kept.values()]).toEqual([act])
})
