import type * as streams from '@afterglow/contract/streams'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { MediaQuery } from '../platform/media/signed-url.ts'
import type { Album, Selection, Size } from './album-store.ts'

/* The photos of an album that a download asks for, as the query and the link say it. */

export type Selected = { Params: { event_id: string; selection: string }; Querystring: MediaQuery }

export const selectionOf = (
  viewerId: number,
  input: z.output<typeof streams.AlbumSelection>,
  album: Album,
): Selection => ({
  eventId: input.event_id,
  viewerId,
  takenBy: input.mine ? viewerId : (input.taken_by ?? null),
  liked: input.liked ?? false,
  hidden: input.hidden ?? false,
  choiceId: null,
  upTo: album.last_sequence,
  size: input.size ?? 'full',
})

// The path names the link's purpose, so the signature covers it.
export const textOf = ({ viewerId, takenBy, upTo, size, liked, hidden, choiceId }: Selection) =>
  `${viewerId}-${takenBy ?? 0}-${upTo}-${size}${liked ? '-liked' : ''}${hidden ? '-hidden' : ''}${choiceId === null ? '' : `-${choiceId}`}`
export const signedOf = (selection: Selection, { link_epoch: epoch }: Album) => ({
  object: selection.eventId,
  variant: `album ${textOf(selection)}`,
  epoch,
})
export const selectionIn = ({ params }: FastifyRequest<Selected>): Selection | undefined => {
  const named = selectionText.exec(params.selection)
  if (!named || !/^[1-9][0-9]{0,14}$/.test(params.event_id)) return undefined
  const [viewerId = 0, takenBy = 0, upTo = 0] = named.slice(1, 4).map(Number)
  const [size, liked, hidden, choice] = named.slice(4)
  return {
    eventId: Number(params.event_id),
    viewerId,
    takenBy: takenBy || null,
    upTo,
    size: size as Size,
    liked: liked !== undefined,
    hidden: hidden !== undefined,
    choiceId: choice === undefined ? null : Number(choice),
  }
}
const selectionText =
  /^([1-9][0-9]{0,14})-(0|[1-9][0-9]{0,14})-(0|[1-9][0-9]{0,14})-(full|shown)(-liked)?(-hidden)?(?:-([1-9][0-9]{0,14}))?$/
