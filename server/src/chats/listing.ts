import { type Person, personsById, presentSeenUser } from '../accounts/persons.ts'
import { batched } from '../platform/batch.ts'
import type { Database } from '../platform/database.ts'
import type { Envelope } from '../platform/http/pages.ts'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { type KeptChat, type KeptMessage, type KeptMessages, marksState } from './kept-messages.ts'
import { furthestMarks, type SeenMark } from './marks-store.ts'
import { addMessage, moreOfItem, pageAround, startOfItem, wholeItem } from './page-json.ts'
import { asSeenBy, presentAttachments, presentBody, presentMessageExtra } from './present.ts'
import { reaching } from './seens.ts'
import { peopleOf, withAttachments } from './showing.ts'
import * as store from './store.ts'

export type Sequences = { from: number; to: number }

/** The sequences of a page: the n-th length of messages back from the anchor, or from the newest. Empty when to < from. */
export const sequencesOf = (
  chat: { last_sequence: number; anchor: number | null },
  { page, page_length: length }: { page: number; page_length: number },
): Sequences => {
  const to = (chat.anchor ?? chat.last_sequence) - (page - 1) * length
  return { from: Math.max(1, to - length + 1), to }
}

type Asked = {
  chat: store.ChatRow
  sequences: Sequences
  envelope: Envelope<never>
  viewer: Viewer
  urls: Urls
  extra: boolean
}

/** Reads pages of messages as JSON in UTF-8, from what is kept of their chats as far as that is true. */
export const openListing = (db: Database, keptMessages: KeptMessages) => {
  // A span is mostly the one message that is not kept; eight whole pages in one statement are enough to parse at once.
  const messagesOf = batched((spans: readonly store.Span[]) => store.messagesOf(db, spans), { most: 8 })
  const marksOf = batched((all: readonly { chatId: number; from: number }[]) => furthestMarks(db, all), {
    most: 32,
  })

  const readMarks = async (kept: KeptChat, { chat, sequences: { from, to } }: Asked): Promise<readonly SeenMark[]> => {
    if (to < from) return []
    const state = marksState(chat)
    if (kept.marks?.state === state && kept.marks.from <= from) return kept.marks.marks
    const marks = await marksOf({ chatId: chat.id, from })
    kept.marks = { state, from, marks }
    return marks
  }

  /** The part of a page that is not kept: often only its first message, at worst all. */
  const readMissing = async (page: ReadonlyMap<number, KeptMessage>, chatId: number, { from, to }: Sequences) => {
    let [low, high] = [from, to]
    while (low <= high && page.has(high)) high--
    while (low <= high && page.has(low)) low++
    return low > high ? [] : messagesOf({ chatId, from: low, to: high })
  }

  const readPersons = async (kept: KeptChat, ids: readonly number[]) => {
    const unknown = ids.filter(id => !kept.persons.has(id))
    if (unknown.length) for (const [id, person] of await personsById(db, unknown)) kept.persons.set(id, person)
  }

  const readMore = async ({ chat, viewer }: Asked, messages: readonly KeptMessage[]) => {
    const reacted = messages.filter(message => message.reacted).map(message => message.id)
    return {
      viewer,
      chats: new Map([[chat.id, chat]]),
      myReactions: await store.reactionsOf(db, viewer.id, reacted),
    }
  }

  return async (asked: Asked): Promise<Buffer> => {
    const { chat, sequences, urls, extra } = asked
    const kept = keptMessages.open(chat, urls)
    const marksBefore = kept.marks

    // Taken out before anything is awaited: meanwhile a page of somebody else's may drop old messages.
    const page = messagesKept(kept, sequences)
    const [rows, marks] = await Promise.all([readMissing(page, chat.id, sequences), readMarks(kept, asked)])
    const attachments = await store.attachmentsOf(db, withAttachments(rows))
    await readPersons(kept, [...peopleOf(rows), ...marks.map(mark => mark.user_id)])
    for (const row of rows) {
      const message = messageToKeep(row, attachments.get(row.id) ?? [], { urls, persons: kept.persons })
      page.set(row.sequence, message)
      kept.messages.set(row.sequence, message)
    }

    const messages = inOrder(page, sequences)
    const more = extra ? await readMore(asked, messages) : undefined
    const beside = { urls, persons: kept.persons, more }
    const pieces: Buffer[] = []
    for (const each of messages) {
      const message = each.row ? forViewer(each, each.row, asked, beside) : each
      const seens = reaching(message, marks).map(id => seenBy(kept, id, urls))
      const { json, attachmentsJson: plain } = message
      if (!more) addMessage(pieces, { message: json, attachments: plain, seens })
      else
        addMessage(pieces, {
          message: json,
          attachments: attachmentsJson(presentAttachments(message.attachments, beside)),
          seens,
          extra: moreOfItem('extra', presentMessageExtra(message, more, chat)),
        })
    }
    if (rows.length || kept.marks !== marksBefore) keptMessages.keep(chat, urls, kept)
    return pageAround(asked.envelope, pieces)
  }
}

/** A hidden message as this viewer may see it. */
const forViewer = (
  kept: KeptMessage,
  row: store.MessageRow,
  { viewer, chat }: Asked,
  beside: Parameters<typeof messageToKeep>[2],
): KeptMessage => {
  const seen = asSeenBy(row, viewer, chat)
  return { ...messageToKeep(seen, seen === row ? kept.attachments : [], beside), row: undefined }
}

const noAttachments = moreOfItem('attachments', [])
const attachmentsJson = (shown: readonly unknown[]) => (shown.length ? moreOfItem('attachments', shown) : noAttachments)

const messagesKept = ({ messages }: KeptChat, { from, to }: Sequences) => {
  const page = new Map<number, KeptMessage>()
  for (let sequence = to; sequence >= from; sequence--) {
    const message = messages.get(sequence)
    if (message) page.set(sequence, message)
  }
  return page
}

const inOrder = (page: ReadonlyMap<number, KeptMessage>, { from, to }: Sequences) => {
  const messages: KeptMessage[] = []
  for (let sequence = to; sequence >= from; sequence--) messages.push(page.get(sequence) as KeptMessage)
  return messages
}

const messageToKeep = (
  row: store.MessageRow,
  attachments: readonly store.AttachmentRow[],
  beside: { urls: Urls; persons: ReadonlyMap<number, Person> },
): KeptMessage => ({
  id: row.id,
  sequence: row.sequence,
  user_id: row.user_id,
  edited_at: row.edited_at,
  deleted_at: row.deleted_at,
  hidden_at: row.hidden_at,
  row: row.hidden_at === null ? undefined : row,
  reacted: row.reactions !== null,
  json: startOfItem(presentBody(row, beside)),
  attachments,
  attachmentsJson: attachmentsJson(presentAttachments(attachments, { ...beside, more: undefined })),
})

const seenBy = (kept: KeptChat, id: number, urls: Urls) => {
  const known = kept.seens.get(id)
  if (known) return known
  const json = wholeItem({ user: presentSeenUser(kept.persons.get(id) as Person, urls) })
  kept.seens.set(id, json)
  return json
}
