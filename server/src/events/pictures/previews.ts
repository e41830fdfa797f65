import type { FastifyRequest } from 'fastify'
import type { Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import type { Db } from '../../platform/database/database.ts'
import { languageOf } from '../../platform/http/language.ts'
import { networkOf, type RateLimits } from '../../platform/http/limits.ts'
import type { Urls } from '../../platform/http/urls.ts'
import type { PreviewOf } from '../../platform/web-client/preview.ts'
import { say } from '../../words/words.ts'
import { placeShown } from '../access.ts'
import type { LinkCodes } from '../links/link-codes.ts'
import { isShortCode, longCodeOf } from '../links/short-codes.ts'
import { openedLink, publicEvent } from '../present-opened.ts'
import type { EventRow } from '../store.ts'
import { coverOf, coverWords } from './covers.ts'

/* Link previews: for a public event, what anybody may see; for a link, what the link's page shows. */

export const openPreviews =
  ({ urls, ...links }: { urls(request: FastifyRequest): Urls } & Links): PreviewOf =>
  async (path, request) => {
    const { db } = links
    const language = languageOf(request.headers['accept-language'])
    const { origin } = urls(request)
    const show = (told: EventRow, more: string | null, pagePath = path) => ({
      title: told.name,
      description: [more, coverWords(told, language).line].filter(Boolean).join(' · '),
      url: origin + path,
      image: origin + coverOf(pagePath, told, language),
      language,
    })
    if (path === '/')
      return {
        title: 'Afterglow',
        description: say(language, 'previews.promise'),
        url: `${origin}/`,
        image: `${origin}/cover.jpg?l=${language}`,
        language,
      }
    const code = await codeAt(path, request, links)
    if (code) {
      const opened = await openedLink(db, code)
      if (!opened) return undefined
      const { first_name, last_name } = (await personsById(db, [opened.hostId])).get(opened.hostId) as Person
      return show(
        opened.event,
        say(language, 'previews.invites', { host: [first_name, last_name].filter(Boolean).join(' ') }),
        `/j/${code}`,
      )
    }
    const [, id] = /^\/events\/([1-9]\d{0,14})\/?$/.exec(path) ?? []
    const { event } = (id && (await publicEvent(db, Number(id)))) || {}
    return event && show(event, placeShown(event))
  }

type Links = { db: Db; codes: LinkCodes; limits: RateLimits }

/**
 * The code of the link to whose page, or to a page behind it, an address leads. A short one counts as if somebody had
 * typed it; not in a browser, which shows no preview and whose page asks for itself. Refuses as longCodeOf does.
 */
const codeAt = async (path: string, { headers, ip }: FastifyRequest, { db, ...tools }: Links) => {
  const [, behind, alone] = /^\/(?:j\/([^/]+)|([^/]+))(?:\/(?:photos(?:\/\d+)?|chat|wall))?\/?$/.exec(path) ?? []
  const given = decoded(behind ?? alone ?? '')
  if (isShortCode(given))
    return headers['sec-fetch-dest'] === 'document' ? undefined : longCodeOf(db, tools, given, networkOf(ip))
  return behind !== undefined && /^[\w-]{1,64}$/.test(given) ? given : undefined
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
