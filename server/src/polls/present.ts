import type { Poll } from '@afterglow/contract/cards'
import type { z } from 'zod'
import { choicesAsText, type PollRow } from './store.ts'

/** A poll as a card on its message, for somebody with these votes. */
export const presentPoll = (row: PollRow, own: readonly number[] = []): z.output<typeof Poll> => ({
  poll_question: row.content.slice(0, -choicesAsText(row).length),
  poll_choices: row.choices.map((text, at) => ({ id: at + 1, poll_choice: text, votes_count: row.votes[at] ?? 0 })),
  poll_multiple: row.multiple,
  poll_anonymous: row.anonymous,
  poll_closes_at: row.closes_at?.toISOString() ?? null,
  voters_count: row.voters,
  my_choice_ids: [...own],
})
