import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Db } from '../platform/database.ts'
import { networkOf, type RateLimits } from '../platform/http/limits.ts'
import { typeHeaders } from '../platform/media/media-type.ts'
import { findVariant } from '../platform/media/records.ts'
import type { Storage } from '../platform/media/storage.ts'
import { coverSize } from '../platform/web-client/preview.ts'
import { openedBy, publicEvent } from './openly.ts'

/** Where the cover of a page is; another picture has another address, as whoever shows one keeps it. */
export const coverOf = (path: string, avatar: number | null) =>
  `${path.replace(/\/$/, '')}/cover.jpg${avatar === null ? '' : `?v=${avatar}`}`

/** An evening sky, for an event that nobody chose a picture for. */
const sky = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">
<defs><linearGradient id="a" x1=".4" y1="0" x2=".6" y2="1"><stop offset="0" stop-color="#2c1745"/><stop offset=".4" stop-color="#6d2a5e"/>
<stop offset=".74" stop-color="#c2452c"/><stop offset="1" stop-color="#f29a4d"/></linearGradient>
<radialGradient id="b"><stop offset="0" stop-color="#fff1d6"/><stop offset=".45" stop-color="#ffc27c"/><stop offset="1" stop-color="#ffc27c" stop-opacity="0"/></radialGradient></defs>
<rect width="1200" height="630" fill="url(#a)"/><circle cx="600" cy="520" r="230" fill="url(#b)" opacity=".85"/></svg>`)

/** 5 MB of them. */
const keptMax = 50

type Covers = { db: Db; storage: Storage; limits: RateLimits; perNetwork: number }

/**
 * GET `/j/:code/cover.jpg` and `/events/:id/cover.jpg`: what a messenger shows of a link, which it loads without a
 * bearer. Whoever has the code sees the same on its page, and of a public event everybody does.
 */
export const coverRoutes = (server: FastifyInstance, { db, storage, limits, perNetwork }: Covers) => {
  const kept = new Map<number | null, Promise<Buffer>>()
  let turn: Promise<unknown> = Promise.resolve()
  const draw = async (avatar: number | null): Promise<Buffer> => {
    const { default: sharp } = await import('sharp')
    const source = avatar === null ? sky : await displayed(avatar)
    return sharp(source)
      .resize({ ...coverSize, fit: 'cover' })
      .jpeg({ quality: 82 })
      .toBuffer()
  }
  /** Encoded by ourselves, and no more: nothing of what somebody uploaded is read in this process. */
  const displayed = async (avatar: number): Promise<Buffer> => {
    const file = await findVariant(db, avatar, 'display')
    return file ? buffer((await storage.open(file.sha256)).stream) : sky
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
