import { expect, test } from 'vitest'
import type { Db } from '../platform/database/database.ts'
import { type Cards, withCards } from './cards.ts'

const poll = { poll_question: '', poll_choices: [], poll_multiple: false, poll_anonymous: false, poll_closes_at: null }
const look = { ...poll, voters_count: 0, my_choice_ids: [] }
const viewer = { id: 7 }

/** Cards that say what is asked of them. */
const asked: [readonly number[], readonly number[]][] = []
const cards: Cards = {
  poll: {
    fallback: () => '',
    async read(_, messageIds, viewerIds) {
      asked.push([messageIds, viewerIds])
      return messageId => (messageId === 3 ? undefined : look)
    },
  },
}
const shown = (rows: { id: number; card: string | null }[], extra = true) =>
  withCards({} as Db, cards, rows, { viewer, extra })

test('a page without cards reads none, nor does one without extra', async () => {
  await shown([{ id: 1, card: null }])
  await shown([{ id: 1, card: 'poll' }], false)
  expect(asked).toEqual([])
})

test('a page reads all its cards of one kind at once, and shows the existing ones', async () => {
  const rows = await shown([1, 2, 3].map(id => ({ id, card: id === 1 ? null : 'poll' })))
  expect(asked.splice(0)).toEqual([[[2, 3], [7]]])
  expect(rows.map(row => row.hung)).toEqual([undefined, { poll: look }, undefined])
})

test('a card of a kind that no longer exists is left out', async () => {
  expect((await shown([{ id: 1, card: 'riddle' }])).map(row => row.hung)).toEqual([undefined])
  expect(asked).toEqual([])
})
