import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Db } from '../../platform/database/database.ts'
import { networkOf, type RateLimits } from '../../platform/http/limits.ts'
import { typeHeaders } from '../../platform/media/media-type.ts'
import type { Pictures } from '../../platform/media/pictures/picture.ts'
import { receive } from '../../platform/media/received-file.ts'
import { findVariant } from '../../platform/media/serving/find-variant.ts'
import type { Storage } from '../../platform/media/storage/storage.ts'
import { type Opened, openedLink, publicEvent } from '../present-opened.ts'

/**
 * Where the cover of a page is. A different picture has a different address, because sites that show a cover cache it
 * by its URL.
 */
export const coverOf = (path: string, avatar: number | null) =>
  `${path.replace(/\/$/, '')}/cover.jpg${avatar === null ? '' : `?v=${avatar}`}`

/** An evening sky, for events without a picture. */
const sky = readFile(new URL('./sky.jpg', import.meta.url))

/** About 5 MB. */
const keptMax = 50

type Covers = { db: Db; storage: Storage; pictures: Pictures; limits: RateLimits; perNetwork: number }

/**
 * GET `/j/:code/cover.jpg` and `/events/:id/cover.jpg`: the picture in a link preview, which messengers load without a
 * bearer token. Anyone with the code sees it on the link's page, and everybody sees that of a public event.
 */
export const coverRoutes = (server: FastifyInstance, { db, storage, pictures, limits, perNetwork }: Covers) => {
  const kept = new Map<number | null, Promise<Buffer>>()
  let turn: Promise<unknown> = Promise.resolve()
  const draw = async (avatar: number | null): Promise<Buffer> => {
    const file = avatar === null ? null : await findVariant(db, avatar, 'display')
    if (!file) return sky
    const { stream } = await storage.open(file.sha256)
    const local = await receive(stream, { bytesMax: file.bytes }, storage)
    return pictures.cover(local.path).finally(local.remove)
  }
  const drawOnce = (avatar: number | null) => {
    const known = kept.get(avatar)
    if (known) return known
    if (kept.size >= keptMax) kept.clear()
    // One at a time: when a link is posted in a group of hundreds, all of them request it at once.
    const made = turn.then(() => draw(avatar))
    turn = made.catch(() => {})
    kept.set(avatar, made)
    made.catch(() => kept.delete(avatar))
    return made
  }
  const send = async (reply: FastifyReply, opened: Opened | undefined, network: string) => {
    if (!opened) {
      await limits.spend('failed link pictures', network, perNetwork)
      return reply.code(404).type('text/plain; charset=utf-8').send('Not found!')
    }
    const headers = { ...typeHeaders('image/jpeg'), 'cache-control': 'public, max-age=3600' }
    return reply.headers(headers).send(await drawOnce(opened.event.avatar_media_id))
  }
  server.get<{ Params: { code: string } }>('/j/:code/cover.jpg', async ({ params, ip }, reply) =>
    send(reply, await openedLink(db, params.code), networkOf(ip)),
  )
  server.get<{ Params: { id: string } }>('/events/:id/cover.jpg', async ({ params, ip }, reply) =>
    send(
      reply,
      /^[1-9]\d{0,14}$/.test(params.id) ? await publicEvent(db, Number(params.id)) : undefined,
      networkOf(ip),
    ),
  )
}
