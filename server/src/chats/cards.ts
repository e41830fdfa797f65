import type { Card as CardShape } from '@afterglow/contract/cards'
import type { z } from 'zod'
import type { Db } from '../platform/database/database.ts'
import type { MessageJson } from './messages/messages-store.ts'

/** A message's cards, by kind, as one person sees them. */
export type CardViews = z.output<typeof CardShape>
type Kind = keyof CardViews & string

/** A card that another slice attaches to messages. Chats store only its kind, and know nothing else of it. */
type Card<Look, Given = never> = {
  /** Text below the message for clients that do not know cards. */
  fallback(given: Given): string
  /** How the card looks on each of these messages to each of these people; undefined if it no longer exists. */
  read(
    db: Db,
    messageIds: readonly number[],
    viewerIds: readonly number[],
  ): Promise<(messageId: number, viewerId: number) => Look | undefined>
}
export type Cards = { readonly [Each in Kind]?: Card<NonNullable<CardViews[Each]>> }

/** A card of this kind to attach to a message. */
export type Hanging<Given> = { kind: Kind; card: Pick<Card<unknown, Given>, 'fallback'>; hung: Given }

type Row = Pick<MessageJson, 'id' | 'card'>

/** The cards of each of these messages for each of these people. Runs no query if there are none. */
export const readCards = async (db: Db, cards: Cards, rows: readonly Row[], viewerIds: readonly number[]) => {
  const looks = new Map<string, (messageId: number, viewerId: number) => CardViews[Kind]>()
  for (const [kind, hung] of Map.groupBy(rows, row => row.card)) {
    const card = kind === null ? undefined : cards[kind as Kind]
    if (!card) continue
    const ids = hung.map(({ id }) => id)
    looks.set(kind as Kind, await card.read(db, ids, viewerIds))
  }
  return ({ id, card }: Row, viewerId: number): CardViews | undefined => {
    const look = card === null ? undefined : looks.get(card)?.(id, viewerId)
    return look && { [card as Kind]: look }
  }
}

/** The same messages with their cards, on request. */
export const withCards = async <Of extends Row>(
  db: Db,
  cards: Cards,
  rows: readonly Of[],
  { viewer, extra }: { viewer: { id: number }; extra: boolean },
): Promise<readonly (Of & { hung?: CardViews | undefined })[]> => {
  if (!extra || rows.every(({ card }) => card === null)) return rows
  const hungOn = await readCards(db, cards, rows, [viewer.id])
  return rows.map(row => ({ ...row, hung: hungOn(row, viewer.id) }))
}
