import type { Person } from '../accounts/persons.ts'
import { personsById } from '../accounts/persons-sql.ts'
import { presentSeenUser } from '../accounts/present-person.ts'
import {
  type AddressedPayload,
  type ChangePresenter,
  type ChangePresenters,
  idsOf,
  type Recipient,
} from '../channel/payloads.ts'
import type { ChangeRow } from '../log/announce.ts'
import { blockersOf } from '../people/relations-sql.ts'
import { maySeeReaders } from './access.ts'
import { type Cards, readCards } from './cards.ts'
import * as chats from './chat-list-store.ts'
import { type MessageRow, reactionsOf, readMessages } from './messages/messages-store.ts'
import { showingChats } from './messages/show-message.ts'
import { asSeenBy, presentChatExtra, presentMessage, presentPersons } from './present.ts'
import { hidingGuests, hidingSeen, reaching } from './seen-marks-store.ts'

const subjectsOf = (changes: readonly ChangeRow[]) => [...new Set(changes.map(({ subject_id }) => subject_id))]

/**
 * A message looks the same to everyone except its author, organizers, people who block its author or the quoted author,
 * those who have reacted to it, and those to whom its card looks different.
 */
const showMessages =
  (cards: Cards): ChangePresenter =>
  async (db, changes, recipientsOf, urls) => {
    const { rows, chats: found, marks, ...read } = await readMessages(db, subjectsOf(changes))
    const persons = presentPersons(read.persons, urls)
    const reacted = rows.filter(row => row.reactions !== null)
    const reactions = await reactionsOf(db, idsOf(reacted))
    const byId = new Map(rows.map(row => [row.id, row]))
    const blockers = await blockersOf(db, rows.flatMap(authorsOf))

    const isSeen = rows.some(row => reaching(row, marks.get(row.group_chat_id) ?? []).length > 0)
    const told = isSeen ? changes.flatMap(change => idsOf(recipientsOf(change))) : []
    const hiding = await hidingSeen(db, [...new Set(told)])

    const isHung = ({ subject_id }: ChangeRow) => (byId.get(subject_id)?.card ?? null) !== null
    const lookers = changes.filter(isHung).flatMap(change => idsOf(recipientsOf(change)))
    const cardOf = await readCards(db, cards, rows, [...new Set(lookers)])

    const alike = openAlike(blockers, hiding)
    const groupsOf = (change: ChangeRow): AddressedPayload[] => {
      const row = byId.get(change.subject_id)
      const chat = row && found.get(row.group_chat_id)
      if (!row || !chat) return []
      const emojis = reactions.get(row.id)
      const apart = (id: number) => `${emojis?.get(id)?.join(' ')} ${JSON.stringify(cardOf(row, id))}`
      const own = emojis || row.card !== null ? apart : undefined
      return alike(recipientsOf(change), authorsOf(row), own).map(({ one: { id, standing }, to }) => {
        const blocked = authorsOf(row).filter(author => blockers.get(author)?.has(id))
        const asStanding = { ...chat, standing, blocked }
        const more = { viewer: { id }, chat: asStanding }
        const seen = asSeenBy({ ...row, own_emojis: emojis?.get(id) ?? [], hung: cardOf(row, id) }, { id }, asStanding)
        const readers = maySeeReaders({ ...asStanding, hides_seen: hiding.has(id) })
        const seens = readers ? reaching(row, marks.get(row.group_chat_id) ?? []) : []
        return { payload: presentMessage(seen, seens, { urls, persons, more }), to }
      })
    }
    return new Map(changes.map(change => [change.id, groupsOf(change)]))
  }

/** Its own author, and that of the message it replies to. */
const authorsOf = ({ user_id, parent }: MessageRow) => (parent ? [user_id, parent.user_id] : [user_id])

type Alike = { one: Recipient; to: readonly number[] }

/**
 * Groups people who see a message alike. Messages by the same authors that look alike to everybody share one grouping.
 */
const openAlike = (blockers: ReadonlyMap<number, ReadonlySet<number>>, hiding: ReadonlySet<number>) => {
  const parted = new Map<string, readonly Alike[]>()
  const numbers = new Map<readonly Recipient[], number>()
  const part = (all: readonly Recipient[], authors: readonly number[], apart?: (id: number) => string) =>
    [
      ...Map.groupBy(
        all,
        ({ id, standing }) =>
          `${id === authors[0]} ${authors.map(author => blockers.get(author)?.has(id))} ${hiding.has(id)} ${standing} ${apart?.(id)}`,
      ).values(),
    ].map((group): Alike => ({ one: group[0] as Recipient, to: idsOf(group) }))
  return (all: readonly Recipient[], authors: readonly number[], apart?: (id: number) => string) => {
    if (apart) return part(all, authors, apart)
    const number = numbers.get(all) ?? numbers.size
    numbers.set(all, number)
    const key = `${number} ${authors}`
    const known = parted.get(key) ?? part(all, authors)
    parted.set(key, known)
    return known
  }
}

const showSeen: ChangePresenter = async (db, changes, recipientsOf, urls) => {
  const persons = await personsById(
    db,
    changes.map(({ actor_id }) => actor_id),
  )
  const told = changes.flatMap(change => idsOf(recipientsOf(change)))
  const [hiding, secret] = await Promise.all([
    hidingSeen(db, [...new Set(told)]),
    hidingGuests(db, subjectsOf(changes)),
  ])
  return new Map(
    changes.map(change => {
      const user = presentSeenUser(persons.get(change.actor_id) as Person, urls)
      const payload = { group_chat_id: change.subject_id, seen_sequence: change.detail.sequence, user }
      const guests_hidden = secret.has(change.subject_id)
      const to = recipientsOf(change).filter(
        ({ id, standing }) =>
          id === change.actor_id || maySeeReaders({ standing, guests_hidden, hides_seen: hiding.has(id) }),
      )
      return [change.id, [{ payload, to: idsOf(to) }]]
    }),
  )
}

/**
 * A chat has an unread count, so nearly everybody gets a payload of their own: sent once for all changes in a batch.
 */
const showChats: ChangePresenter = async (db, changes, recipientsOf, urls) => {
  const due = new Map<number, Recipient[]>()
  const told = new Set<string>()
  for (const change of changes.toReversed()) {
    const fresh = recipientsOf(change).filter(({ id }) => !told.has(`${change.subject_id} ${id}`))
    for (const { id } of fresh) told.add(`${change.subject_id} ${id}`)
    due.set(change.id, fresh)
  }
  const userIds = new Set([...due.values()].flatMap(idsOf))
  const rows = await chats.listChatsAsSeen(db, subjectsOf(changes), [...userIds])
  const present = await showingChats(db, rows, { urls })
  const seenBy = new Map(rows.map(row => [`${row.id} ${row.viewer_id}`, row]))

  const groupsOf = ({ id, subject_id }: ChangeRow): AddressedPayload[] => {
    const seen = (due.get(id) ?? []).flatMap(recipient => seenBy.get(`${subject_id} ${recipient.id}`) ?? [])
    const alike = Map.groupBy(
      seen,
      ({ unread, muted, standing, seen_sequence, hides_seen, latest_blocked, pinned }) =>
        `${unread} ${muted} ${standing} ${seen_sequence} ${hides_seen} ${latest_blocked} ${pinned?.blocked}`,
    )
    return [...alike.values()].map(group => {
      const [row] = group as [(typeof group)[number]]
      return {
        payload: { ...present(row), extra: presentChatExtra(row, urls) },
        to: group.map(({ viewer_id }) => viewer_id),
      }
    })
  }
  return new Map(changes.map(change => [change.id, groupsOf(change)]))
}

export const chatShowing = (cards: Cards): ChangePresenters => {
  const messages = showMessages(cards)
  return {
    'message.created': messages,
    'message.updated': messages,
    'message.deleted': messages,
    'message.reacted': messages,
    'message.seen': showSeen,
    'group.updated': showChats,
  }
}
