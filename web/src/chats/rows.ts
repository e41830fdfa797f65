import { notArrived, type Waiting } from './pending-messages.ts'
import { type Message, sequenceOf, type Window } from './window.ts'

/** One line of the history as it is drawn. */
export type Row =
  | { kind: 'message'; message: Message; before: Message | undefined; newDay: boolean; joins: boolean }
  | { kind: 'waiting'; waiting: Waiting }

/** Words soon after each other by the same person hang together. */
const togetherMs = 5 * 60_000

export const rowsOf = (window: Window, waiting: readonly Waiting[]): Row[] => {
  const rows: Row[] = window.messages.map((message, at) => {
    const before = window.messages[at - 1]
    const newDay = before ? dayOf(before) !== dayOf(message) : sequenceOf(message) === 1
    return {
      kind: 'message',
      message,
      before,
      newDay,
      joins: !newDay && before !== undefined && joins(before, message),
    }
  })
  // What is on its way stands at the end of everything, so it is shown only where that is.
  if (window.atEnd)
    for (const each of notArrived(waiting, window.messages)) rows.push({ kind: 'waiting', waiting: each })
  return rows
}

const dayOf = ({ created_at }: Message) => new Date(created_at).toDateString()
const joins = (before: Message, message: Message) =>
  before.user.id === message.user.id &&
  !before.extra.deleted &&
  Date.parse(message.created_at) - Date.parse(before.created_at) < togetherMs

export const keyOf = (row: Row) => (row.kind === 'message' ? row.message.id : `waiting ${row.waiting.at}`)
