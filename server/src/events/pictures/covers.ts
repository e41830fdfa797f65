import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Locale } from '@afterglow/contract/languages'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { EventCard } from '../../accounts/mail/mail-content.ts'
import type { Db } from '../../platform/database/database.ts'
import { languageOf } from '../../platform/http/language.ts'
import { networkOf, type RateLimits } from '../../platform/http/limits.ts'
import { typeHeaders } from '../../platform/media/media-type.ts'
import type { CoverWords } from '../../platform/media/pictures/cover-size.ts'
import type { Pictures } from '../../platform/media/pictures/picture.ts'
import { receive } from '../../platform/media/received-file.ts'
import { findVariant } from '../../platform/media/serving/find-variant.ts'
import type { Storage } from '../../platform/media/storage/storage.ts'
import { occasionIn } from '../../words/moments.ts'
import { say } from '../../words/words.ts'
import { placeShown } from '../access.ts'
import { type Opened, openedLink, publicEvent } from '../present-opened.ts'
import type { EventRow } from '../store.ts'

/** The words on the picture of a link preview, in the language of the page. */
export const coverWords = ({ name, starts_at, ends_at, timezone }: EventRow, locale: Locale): CoverWords => ({
  name,
  line: occasionIn(locale, { startsAt: starts_at, endsAt: ends_at, timeZone: timezone }),
})

/**
 * The address of a page's cover. A different picture or other words have a different address, because sites that show a
 * cover cache it by its URL.
 */
export const coverOf = (path: string, event: EventRow, locale: Locale) => {
  const shown = JSON.stringify([event.avatar_media_id, coverWords(event, locale)])
  const version = createHash('sha256').update(shown).digest('base64url').slice(0, 12)
  return `${path.replace(/\/$/, '')}/cover.jpg?v=${version}&l=${locale}`
}

/** An event as a mail shows it. */
export const cardOf = (event: EventRow, path: string, locale: Locale): EventCard => ({
  when: coverWords(event, locale).line,
  place: placeShown(event),
  cover: coverOf(path, event, locale),
})

/** An evening sky, for events without a picture. */
const sky = fileURLToPath(new URL('./sky.jpg', import.meta.url))

/** About 5 MB. */
const keptMax = 50

type Covers = { db: Db; storage: Storage; pictures: Pictures; limits: RateLimits; perNetwork: number }

/**
 * GET `/j/:code/cover.jpg` and `/events/:id/cover.jpg`: the picture in a link preview, which messengers load without a
 * bearer token. Anyone with the code sees it on the link's page, and everybody sees that of a public event.
 */
export const coverRoutes = (server: FastifyInstance, { db, storage, pictures, limits, perNetwork }: Covers) => {
  const kept = new Map<string, Promise<Buffer>>()
  let turn: Promise<unknown> = Promise.resolve()
  const draw = async (avatar: number | null, words: CoverWords): Promise<Buffer> => {
    const file = avatar === null ? null : await findVariant(db, avatar, 'display')
    if (!file) return pictures.cover(sky, words)
    const { stream } = await storage.open(file.sha256)
    const local = await receive(stream, { bytesMax: file.bytes }, storage)
    return pictures.cover(local.path, words).finally(local.remove)
  }
  const drawOnce = (avatar: number | null, words: CoverWords) => {
    const key = JSON.stringify([avatar, words])
    const known = kept.get(key)
    if (known) return known
    if (kept.size >= keptMax) kept.clear()
    // One at a time: when a link is posted in a group of hundreds, all of them request it at once.
    const made = turn.then(() => draw(avatar, words))
    turn = made.catch(() => {})
    kept.set(key, made)
    made.catch(() => kept.delete(key))
    return made
  }
  const headers = { ...typeHeaders('image/jpeg'), 'cache-control': 'public, max-age=3600' }
  const send = async (reply: FastifyReply, opened: Opened | undefined, { ip, query }: Asked) => {
    if (!opened) {
      await limits.spend('failed link pictures', networkOf(ip), perNetwork)
      return reply.code(404).type('text/plain; charset=utf-8').send('Not found!')
    }
    const { event } = opened
    return reply.headers(headers).send(await drawOnce(event.avatar_media_id, coverWords(event, languageOf(query.l))))
  }
  server.get<{ Querystring: Language }>('/cover.jpg', async ({ query }, reply) =>
    reply
      .headers(headers)
      .send(await drawOnce(null, { name: 'Afterglow', line: say(languageOf(query.l), 'previews.promise') })),
  )
  server.get<{ Params: { code: string }; Querystring: Language }>('/j/:code/cover.jpg', async (request, reply) =>
    send(reply, await openedLink(db, request.params.code), request),
  )
  server.get<{ Params: { id: string }; Querystring: Language }>('/events/:id/cover.jpg', async (request, reply) => {
    const { id } = request.params
    return send(reply, /^[1-9]\d{0,14}$/.test(id) ? await publicEvent(db, Number(id)) : undefined, request)
  })
}
type Language = { l?: string }
type Asked = { ip: string; query: Language }
