import { can } from '@afterglow/contract/capabilities'
import * as contract from '@afterglow/contract/gallery'
import { validationBody } from '@afterglow/contract/sentences'
import * as streams from '@afterglow/contract/streams'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import { tellSpent } from '../platform/http/admission.ts'
import { networkOf, type RateLimits } from '../platform/http/limits.ts'
import { Invalid, refuse } from '../platform/http/refusals.ts'
import type { Admit, Serve } from '../platform/http/serve.ts'
import { openFairQueue } from '../platform/jobs/fair-queue.ts'
import type { FullSizes } from '../platform/media/full-size.ts'
import type { Signer } from '../platform/media/signed-url.ts'
import type { Storage } from '../platform/media/storage/storage.ts'
import { layOut } from '../platform/zip/layout.ts'
import { albumFor, toTakeHome } from './access.ts'
import { type Selected, selectionIn, selectionOf, signedOf, textOf } from './album-selection.ts'
import { findAlbum, storeSelection } from './album-store.ts'
import { albumContents } from './album-zip.ts'
import { type LayOutInTurn, sendAlbum } from './send-album.ts'

type RouteOptions = {
  db: Database
  storage: Storage
  fullSizes: FullSizes
  signer: Signer
  limits: RateLimits
  admit: Admit
  serve: Serve
}

const layouts = {
  atOnce: 2,
  waitingMax: 200,
  waitingMaxEach: 10,
  full: 'Too many albums are being gathered. Please try again in a moment.',
}

/** Downloading an album: as a zip with a bearer token, or by a link that a browser follows. */
export const albumRoutes = (server: FastifyInstance, opening: RouteOptions) => {
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
      return sendAlbum({ ...opening, layOutInTurn }, request, reply, selectionOf(viewer.id, checked.data, album), album)
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
      // One link may have many readers who count as one viewer, so each network has its own budget.
      const spender = `${selection.viewerId} ${networkOf(request.ip)}`
      tellSpent(reply, await limits.spend(streams.downloadAlbum.name, spender, streams.downloadAlbum.perMinute))
      return sendAlbum({ ...opening, layOutInTurn }, request, reply, selection, album)
    },
  })
}

/** Says where the album is, and how large it will be, before the download. */
const linkRoute = ({ serve, signer, ...opening }: RouteOptions, layOutInTurn: LayOutInTurn, linkPath: string) => {
  serve(contract.linkAlbum, async ({ db, viewer, input, urls, turn }) => {
    const album = await albumFor(db, viewer, input.event_id, { mine: isMine(input) })
    const { event_photo_ids: chosen } = input
    const choiceId = chosen ? await storeSelection(db, viewer.id, chosen) : null
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

const isMine = ({ mine, event_photo_ids: chosen }: { mine?: boolean | undefined; event_photo_ids?: unknown }) =>
  mine === true && chosen === undefined
