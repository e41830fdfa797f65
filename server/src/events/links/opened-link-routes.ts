import { randomUUID } from 'node:crypto'
import * as contract from '@afterglow/contract/links/opened-links'
import { offsetAt } from '@afterglow/contract/zones'
import type { Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import { presentSeenUser } from '../../accounts/present-person.ts'
import type { Db } from '../../platform/database/database.ts'
import type { RateLimits } from '../../platform/http/limits.ts'
import type { ServeOpen } from '../../platform/http/serve.ts'
import type { Urls } from '../../platform/http/urls.ts'
import type { LinkCodes } from './link-codes.ts'
import * as links from './links.ts'
import * as store from './links-store.ts'
import { viewByLink } from './opened-links.ts'
import { presentKind } from './present-link.ts'
import { longCodeOf } from './short-codes.ts'

type Tools = { codes: LinkCodes; limits: RateLimits }

/** What somebody with a link's code does with it before joining: looks at it, looks by it. */
export const openedLinkRoutes = (serveOpen: ServeOpen, tools: Tools) => {
  serveOpen(contract.openLink, async ({ db, input, urls, network }) => {
    const code = await longCodeOf(db, tools, input.code, network)
    const link = await links.usableLink(db, code, true, true)
    return { link_code: code, ...(await showOpened(db, link, urls)) }
  })

  serveOpen(contract.viewByLink, async ({ db, input, network }) => {
    const { pin, device_id: deviceId = randomUUID() } = input
    const code = await longCodeOf(db, tools, input.code, network)
    await links.demandPin(db, tools, { code, pin, network, device: deviceId })
    const { link, session } = await viewByLink(db, tools.limits, { code, deviceId, network })
    return {
      event_id: link.event_id,
      ...presentKind(link),
      token: session.token,
      token_expiration: session.expiresAt.toISOString(),
    }
  })
}

const showOpened = async (db: Db, link: store.LinkRow, urls: Urls) => {
  const event = await store.readOpened(db, link)
  const persons = await personsById(db, [event.host_id])
  return {
    event_id: event.id,
    event_name: event.name,
    event_starts_at: event.starts_at.toISOString(),
    event_ends_at: event.ends_at?.toISOString() ?? null,
    event_timezone: event.timezone,
    event_timezone_offset: offsetAt(event.timezone, event.starts_at),
    event_avatar_url: event.avatar_media_id
      ? urls.media(event.avatar_media_id, 'display', 0, event.avatar_ending)
      : urls.initials(event.name, event.id),
    host: presentSeenUser(persons.get(event.host_id) as Person, urls),
    ...presentKind(link),
    link_photographer: link.photographer,
    link_pin_required: link.pin_mac !== null,
    link_expires_at: link.expires_at?.toISOString() ?? null,
  }
}
