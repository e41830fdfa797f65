import type { Locale } from '@afterglow/contract/languages'
import type { FastifyRequest } from 'fastify'
import type { Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import type { Db } from '../../platform/database/database.ts'
import { languageOf } from '../../platform/http/language.ts'
import type { Urls } from '../../platform/http/urls.ts'
import type { PreviewOf } from '../../platform/web-client/preview.ts'
import { occasionIn } from '../../words/moments.ts'
import { say } from '../../words/words.ts'
import { openedBy, publicEvent } from '../openly.ts'
import { coverOf } from './covers.ts'

/* Link previews: for a public event, what anybody may see; for a link, what the link's page shows. */

type Told = {
  name: string
  starts_at: Date
  ends_at: Date | null
  timezone: string
  avatar_media_id: number | null
}

export const openPreviews =
  ({ db, urls }: { db: Db; urls(request: FastifyRequest): Urls }): PreviewOf =>
  async (path, request) => {
    const language = languageOf(request.headers['accept-language'])
    const { origin } = urls(request)
    const show = (told: Told, more: string | null) => ({
      title: told.name,
      description: [more, whenOf(told, language)].filter(Boolean).join(' · '),
      url: origin + path,
      image: origin + coverOf(path, told.avatar_media_id),
      language,
    })
    const [, code] = /^\/j\/([\w-]{1,64})\/?$/.exec(path) ?? []
    if (code) {
      const opened = await openedBy(db, code)
      if (!opened) return undefined
      const { first_name, last_name } = (await personsById(db, [opened.host_id])).get(opened.host_id) as Person
      return show(
        opened,
        say(language, 'previews.invites', { host: [first_name, last_name].filter(Boolean).join(' ') }),
      )
    }
    const [, id] = /^\/events\/([1-9]\d{0,14})\/?$/.exec(path) ?? []
    const event = id ? await publicEvent(db, Number(id)) : undefined
    return event && show(event, event.location)
  }

/** In the local time of the venue. */
const whenOf = ({ starts_at: startsAt, ends_at: endsAt, timezone: timeZone }: Told, locale: Locale) =>
  occasionIn(locale, { startsAt, endsAt, timeZone })
