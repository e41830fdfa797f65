import { Readable } from 'node:stream'
import { can } from '@afterglow/contract/capabilities'
import * as contract from '@afterglow/contract/gallery'
import { validationBody } from '@afterglow/contract/sentences'
import * as streams from '@afterglow/contract/streams'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Database } from '../platform/database/database.ts'
import { tellSpent } from '../platform/http/admission.ts'
import { goneSignal } from '../platform/http/connections/abort-signal.ts'
import { networkOf, type RateLimits } from '../platform/http/limits.ts'
import { Invalid, refuse } from '../platform/http/refusals.ts'
import type { Admit, Serve } from '../platform/http/serve.ts'
import { openFairQueue, type Turn } from '../platform/jobs/fair-queue.ts'
import { dispositionOf, goodEverywhere } from '../platform/media/file-name.ts'
import type { FullSizes } from '../platform/media/full-size.ts'
import { readRange } from '../platform/media/serving/range.ts'
import type { MediaQuery, Signer } from '../platform/media/signed-url.ts'
import type { Storage } from '../platform/media/storage/storage.ts'
import type { Entry } from '../platform/zip/records.ts'
import { type Contents, type Layout, layOut, ZipChanged, zipBytes } from '../platform/zip/stream.ts'
import { albumFor, toTakeHome } from './access.ts'
import { type Album, findAlbum, keepChoice, type Selection, type Size } from './album-store.ts'
import { albumContents } from './album-zip.ts'

type Opening = {
  db: Database
  storage: Storage
  fullSizes: FullSizes
  signer: Signer
  limits: RateLimits
  admit: Admit
  serve: Serve
}

/** Scans all rows of an album, and files without a checksum: the only part that no client's network slows down. */
type LayOutInTurn = (turn: Turn, contents: Contents<Entry>) => Promise<Layout>

const layouts = {
  atOnce: 2,
  waitingMax: 200,
  waitingMaxEach: 10,
  full: 'Too many albums are being gathered. Please try again in a moment.',
}

type Selected = { Params: { event_id: string; selection: string }; Querystring: MediaQuery }

/** Downloading an album: as a zip with a bearer token, or by a link that a browser follows. */
export const albumRoutes = (server: FastifyInstance, opening: Opening) => {
  const { db, signer, limits, admit } = opening
  const queue = openFairQueue(layouts)
  const layOutInTurn: LayOutInTurn = (turn, contents) => queue.run(turn, 1, () => layOut(contents.entries()))
  const [, path] = streams.downloadAlbum.at
  const [, linkPath] = streams.followDownloadLink.at

  linkRoute(opening, layOutInTurn, linkPath)

  server.route<Selected>({
    method: ['GET', 'HEAD'],
    url: `/${path.replace('{event_id}', ':event_id')}`,
    config: { operation: streams.downloadAlbum },
    onRequest: admit(streams.downloadAlbum),
    handler: async (request, reply) => {
      const asked = { ...(request.query as object), ...request.params }
      const checked = streams.AlbumSelection.safeParse(asked)
      if (!checked.success) throw new Invalid(validationBody(checked.error, asked))
      const viewer = request.viewer as NonNullable<typeof request.viewer>
      const album = await albumFor(db, viewer, checked.data.event_id, { mine: isMine(checked.data) })
      return sendZip({ ...opening, layOutInTurn }, request, reply, selectionOf(viewer.id, checked.data, album), album)
    },
  })

  server.route<Selected>({
    method: ['GET', 'HEAD'],
    url: `/${linkPath.replace('{event_id}', ':event_id').replace('{selection}', ':selection')}`,
    config: { operation: streams.followDownloadLink },
    handler: async (request, reply) => {
      const selection = selectionIn(request)
      const album =
        selection && signer.plausible(request.query) && (await findAlbum(db, selection.viewerId, selection.eventId))
      // A link may outlive its reason: its owner was removed, has left, or the event was deleted.
      if (
        !album ||
        !can(album.standing, toTakeHome(selection.takenBy === selection.viewerId)) ||
        !signer.verify(signedOf(selection, album), request.query)
      )
        return refuse('noSuchLink')
      if (album.deleted && selection.takenBy !== selection.viewerId) return refuse('noSuchLink')
      // Many may look by one link, and be one viewer: what one of them spends is not spent for all.
      const spender = `${selection.viewerId} ${networkOf(request.ip)}`
      tellSpent(reply, await limits.spend(streams.downloadAlbum.name, spender, streams.downloadAlbum.perMinute))
      return sendZip({ ...opening, layOutInTurn }, request, reply, selection, album)
    },
  })
}

/** Tells where the album is, and what it will be, before anybody downloads it. */
const linkRoute = ({ serve, signer, ...opening }: Opening, layOutInTurn: LayOutInTurn, linkPath: string) => {
  serve(contract.linkAlbum, async ({ db, viewer, input, urls, turn }) => {
    const album = await albumFor(db, viewer, input.event_id, { mine: isMine(input) })
    const { event_photo_ids: chosen } = input
    const choiceId = chosen ? await keepChoice(db, viewer.id, chosen) : null
    const selection = { ...selectionOf(viewer.id, input, album), choiceId }
    const contents = albumContents({ ...opening, db }, selection, album.timezone)
    const beside = { raw: 0, moment: 0 }
    const counted = async function* () {
      for await (const entry of contents.entries()) {
        if (entry.beside) beside[entry.beside] += 1
        yield entry
      }
    }
    const layout = await layOutInTurn(turn(), { ...contents, entries: counted })
    const [, signed = ''] = signer.sign(signedOf(selection, album)).split('?')
    const at = linkPath.replace('{event_id}', String(selection.eventId)).replace('{selection}', textOf(selection))
    return {
      download_url: `${urls.origin}/${at}?${signed}`,
      download_expires_at: new Date(Number(new URLSearchParams(signed).get('e')) * 1000).toISOString(),
      download_photos_count: layout.directory.entries - beside.raw - beside.moment,
      download_raws_count: beside.raw,
      download_bytes: layout.length,
    }
  })
}

/** One's own photos, and none of others. */
const isMine = ({ mine, event_photo_ids: chosen }: { mine?: boolean | undefined; event_photo_ids?: unknown }) =>
  mine === true && chosen === undefined

const selectionOf = (viewerId: number, input: z.output<typeof streams.AlbumSelection>, album: Album): Selection => ({
  eventId: input.event_id,
  viewerId,
  takenBy: input.mine ? viewerId : (input.taken_by ?? null),
  liked: input.liked ?? false,
  choiceId: null,
  upTo: album.last_sequence,
  size: input.size ?? 'full',
})

// What a link is for is part of its path, covered by its signature.
const textOf = ({ viewerId, takenBy, upTo, size, liked, choiceId }: Selection) =>
  `${viewerId}-${takenBy ?? 0}-${upTo}-${size}${liked ? '-liked' : ''}${choiceId === null ? '' : `-${choiceId}`}`
const signedOf = (selection: Selection, { link_epoch: epoch }: Album) => ({
  object: selection.eventId,
  variant: `album ${textOf(selection)}`,
  epoch,
})
const selectionIn = ({ params }: FastifyRequest<Selected>): Selection | undefined => {
  const named = selectionText.exec(params.selection)
  if (!named || !/^[1-9][0-9]{0,14}$/.test(params.event_id)) return undefined
  const [viewerId = 0, takenBy = 0, upTo = 0] = named.slice(1, 4).map(Number)
  const [size, liked, choice] = named.slice(4)
  return {
    eventId: Number(params.event_id),
    viewerId,
    takenBy: takenBy || null,
    upTo,
    size: size as Size,
    liked: liked !== undefined,
    choiceId: choice === undefined ? null : Number(choice),
  }
}
const selectionText =
  /^([1-9][0-9]{0,14})-(0|[1-9][0-9]{0,14})-(0|[1-9][0-9]{0,14})-(full|shown)(-liked)?(?:-([1-9][0-9]{0,14}))?$/

const sendZip = async (
  { layOutInTurn, ...opening }: Opening & { layOutInTurn: LayOutInTurn },
  request: FastifyRequest,
  reply: FastifyReply,
  selection: Selection,
  { name, timezone }: Album,
) => {
  const contents = albumContents(opening, selection, timezone)
  const crowd = `user ${selection.viewerId}`
  const turn = { who: `${crowd} ${networkOf(request.ip)}`, crowd, gone: goneSignal(reply) }
  const layout = await layOutInTurn(turn, contents)
  const { length, etag } = layout
  const ifRange = request.headers['if-range']
  const range =
    request.method === 'GET' && (ifRange === undefined || ifRange === etag)
      ? readRange(request.headers.range, length)
      : null
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'content-type': 'application/zip',
    'content-disposition': dispositionOf('attachment', `${goodEverywhere(name) || 'album'}.zip`),
    'x-content-type-options': 'nosniff',
  })
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${length}`).send('')
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${length}`)
  reply.header('content-length', range ? range.end - range.start + 1 : length)
  if (request.method === 'HEAD') return reply.send()
  const body = Readable.from(zipBytes(contents, layout, range ?? undefined), { objectMode: false })
  // The connection is cut before the announced length, so no client mistakes it for the whole file.
  body.on('error', err => {
    if (err instanceof ZipChanged) request.log.info({ reason: err.message }, 'the album changed while it was sent')
    else if ((err as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      request.log.error({ err }, 'an album could not be sent')
  })
  return reply.send(body)
}
