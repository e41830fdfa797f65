import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/database/database.ts'
import { networkOf, type RateLimits } from '../../platform/http/limits.ts'
import { Refused } from '../../platform/http/refusals.ts'
import type { Urls } from '../../platform/http/urls.ts'
import { typeHeaders } from '../../platform/media/media-type.ts'
import { qrPng, qrSvg } from '../../platform/media/qr-codes.ts'
import { usableLink } from './links.ts'

/** Where a link leads, and where its pictures are. */
export const linkUrls = ({ origin }: Pick<Urls, 'origin'>, code: string) => ({
  link_url: `${origin}/j/${code}`,
  link_qr_svg_url: `${origin}/j/${code}/qr.svg`,
  link_qr_png_url: `${origin}/j/${code}/qr.png`,
})

const drawn = {
  'qr.svg': { type: 'image/svg+xml', draw: qrSvg },
  'qr.png': { type: 'image/png', draw: qrPng },
}

/** Drawing a PNG takes a few milliseconds of the event loop, and a page requests the same one again and again. */
const picturesKept = 200

type Drawing = {
  db: Db
  limits: RateLimits
  perNetwork: number
  urls(request: FastifyRequest): Urls
}

/**
 * GET `/j/:code/qr.svg` and `…/qr.png`: pictures for an `<img>` or a page to print, which send no bearer token. Anyone
 * with the code could draw them. A link that no longer admits anyone has none: 404.
 */
export const linkPictureRoutes = (server: FastifyInstance, { db, limits, perNetwork, urls }: Drawing) => {
  const kept = new Map<string, Promise<string | Buffer>>()
  const drawOnce = (name: string, url: string, draw: (url: string) => Promise<string | Buffer>) => {
    const key = `${name} ${url}`
    const known = kept.get(key)
    if (known) return known
    if (kept.size >= picturesKept) kept.clear()
    const picture = draw(url)
    kept.set(key, picture)
    return picture
  }
  for (const [name, { type, draw }] of Object.entries(drawn))
    server.get<{ Params: { code: string } }>(`/j/:code/${name}`, async (request, reply) => {
      const { code } = request.params
      try {
        await usableLink(db, code, true)
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        // Only for requests without a valid code: someone guessing must not block the pictures for others behind the
        // same address.
        await limits.spend('failed link pictures', networkOf(request.ip), perNetwork)
        return reply.code(404).type('text/plain; charset=utf-8').send('Not found!')
      }
      const picture = await drawOnce(name, linkUrls(urls(request), code).link_url, draw)
      return reply.headers({ ...typeHeaders(type), 'cache-control': 'private, no-cache' }).send(picture)
    })
}
