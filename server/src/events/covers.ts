import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Db } from '../platform/database/database.ts'
import { networkOf, type RateLimits } from '../platform/http/limits.ts'
import { typeHeaders } from '../platform/media/media-type.ts'
import type { Pictures } from '../platform/media/picture.ts'
import { receive } from '../platform/media/received-file.ts'
import { findVariant } from '../platform/media/records.ts'
import type { Storage } from '../platform/media/storage.ts'
import { openedBy, publicEvent } from './openly.ts'

/** Where the cover of a page is; another picture has another address, as whoever shows one keeps it. */
export const coverOf = (path: string, avatar: number | null) =>
  `${path.replace(/\/$/, '')}/cover.jpg${avatar === null ? '' : `?v=${avatar}`}`

/** An evening sky, for an event that nobody chose a picture for. */
const sky = readFile(new URL('./sky.jpg', import.meta.url))

/** 5 MB of them. */
const keptMax = 50

type Covers = { db: Db; storage: Storage; pictures: Pictures; limits: RateLimits; perNetwork: number }

/**
 * GET `/j/:code/cover.jpg` and `/events/:id/cover.jpg`: what a messenger shows of a link, which it loads without a
 * bearer. Whoever has the code sees the same on its page, and of a public event everybody does.
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
    // One after the other: a link in a group of hundreds is asked for by all of them at once.
    const made = turn.then(() => draw(avatar))
    turn = made.catch(() => {})
    kept.set(avatar, made)
    made.catch(() => kept.delete(avatar))
    return made
  }
  const send = async (reply: FastifyReply, found: { avatar_media_id: number | null } | undefined, network: string) => {
    if (!found) {
      await limits.spend('failed link pictures', network, perNetwork)
      return reply.code(404).type('text/plain; charset=utf-8').send('Not found!')
    }
    const headers = { ...typeHeaders('image/jpeg'), 'cache-control': 'public, max-age=3600' }
    return reply.headers(headers).send(await drawOnce(found.avatar_media_id))
  }
  server.get<{ Params: { code: string } }>('/j/:code/cover.jpg', async ({ params, ip }, reply) =>
    send(reply, await openedBy(db, params.code), networkOf(ip)),
  )
  server.get<{ Params: { id: string } }>('/events/:id/cover.jpg', async ({ params, ip }, reply) =>
    send(
      reply,
      /^[1-9]\d{0,14}$/.test(params.id) ? await publicEvent(db, Number(params.id)) : undefined,
      networkOf(ip),
    ),
  )
}
