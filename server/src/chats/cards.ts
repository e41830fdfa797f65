import type { Card as CardShape } from '@afterglow/contract/cards'
import type { z } from 'zod'
import type { Db } from '../platform/database/database.ts'
import type { MessageJson } from './messages/messages-store.ts'

/** What hangs on a message, by its kind, as one person sees it. */
export type Hung = z.output<typeof CardShape>
type Kind = keyof Hung & string

/** What another slice hangs on messages. Its kind stands in their rows, and chats know nothing else of it. */
type Card<Look, Given = never> = {
  /** What stands below the message's text for clients that know nothing of cards. */
  fallback(given: Given): string
  /** How it looks on each of these messages to each of these people; undefined where there is none any more. */
  read(
    db: Db,
    messageIds: readonly number[],
    viewerIds: readonly number[],
  ): Promise<(messageId: number, viewerId: number) => Look | undefined>
}
export type Cards = { readonly [Each in Kind]?: Card<NonNullable<Hung[Each]>> }

/** What is to hang on a message, of this kind. */
export type Hanging<Given> = { kind: Kind; card: Pick<Card<unknown, Given>, 'fallback'>; hung: Given }

type Row = Pick<MessageJson, 'id' | 'card'>

/** What hangs on each of these messages for each of these people. Reads nothing if nothing does. */
export const readCards = async (db: Db, cards: Cards, rows: readonly Row[], viewerIds: readonly number[]) => {
  const looks = new Map<string, (messageId: number, viewerId: number) => Hung[Kind]>()
  for (const [kind, hung] of Map.groupBy(rows, row => row.card)) {
    const card = kind === null ? undefined : cards[kind as Kind]
    if (!card) continue
    const ids = hung.map(({ id }) => id)
    looks.set(kind as Kind, await card.read(db, ids, viewerIds))
  }
  return ({ id, card }: Row, viewerId: number): Hung | undefined => {
    const look = card === null ? undefined : looks.get(card)?.(id, viewerId)
    return look && { [card as Kind]: look }
  }
}

/** The same messages with what hangs on them, if it is asked for. */
export const withCards = async <Of extends Row>(
  db: Db,
  cards: Cards,
  rows: readonly Of[],
  { viewer, extra }: { viewer: { id: number }; extra: boolean },
): Promise<readonly (Of & { hung?: Hung | undefined })[]> => {
  if (!extra || rows.every(({ card }) => card === null)) return rows
  const hungOn = await readCards(db, cards, rows, [viewer.id])
  return rows.map(row => ({ ...row, hung: hungOn(row, viewer.id) }))
}
