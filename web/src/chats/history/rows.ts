import { lastOf, type Message, type SeenUser, sequenceOf, type Window } from './window.ts'

export type Row = {
  message: Message
  newDay: boolean
  joins: boolean
  /** The people who have read exactly this far. */
  readers: readonly SeenUser[]
}

/** Messages in short succession by the same person are joined. */
const togetherMs = 5 * 60_000

/** A row stays the same object as long as its content is the same: rendering depends on that. */
const known = new WeakMap<Message, { before: Message | undefined; row: Row }>()

export const rowsOf = (window: Window, me: number | undefined): Row[] => {
  const readers = readersOf(window, me)
  return window.messages.map((message, at) => {
    const before = window.messages[at - 1]
    const seen = readers.get(sequenceOf(message))?.filter(({ id }) => id !== message.user.id) ?? []
    const last = known.get(message)
    if (last && last.before === before && same(last.row.readers, seen)) return last.row
    const newDay = before ? dayOf(before) !== dayOf(message) : sequenceOf(message) === 1
    const joined = !newDay && before !== undefined && joins(before, message)
    const row: Row = { message, newDay, joins: joined, readers: seen }
    known.set(message, { before, row })
    return row
  })
}

const readersOf = (window: Window, me: number | undefined): Map<number, SeenUser[]> => {
  const readers = new Map<number, SeenUser[]>()
  for (const { sequence, user } of Object.values(window.marks)) {
    // After the last loaded message there may be more that they have read.
    if (user.id === me || (!window.atEnd && sequence === lastOf(window))) continue
    const others = readers.get(sequence)
    if (others) others.push(user)
    else readers.set(sequence, [user])
  }
  return readers
}

export const same = <Of>(one: readonly Of[], other: readonly Of[]) =>
  one.length === other.length && one.every((each, at) => each === other[at])

const dayOf = ({ created_at }: Message) => new Date(created_at).toDateString()
const joins = (before: Message, message: Message) =>
  before.user.id === message.user.id &&
  !before.extra.deleted &&
  Date.parse(message.created_at) - Date.parse(before.created_at) < togetherMs
