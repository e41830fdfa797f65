import { randomUUID } from 'node:crypto'
import * as contract from '@afterglow/contract/links/opened-links'
import type { RateLimits } from '../../platform/http/limits.ts'
import { refuse } from '../../platform/http/refusals.ts'
import type { ServeOpen } from '../../platform/http/serve.ts'
import type { EventPart } from '../event-parts.ts'
import { eventOfLink, publicEvent, showOpened } from '../present-opened.ts'
import type { LinkCodes } from './link-codes.ts'
import * as links from './links.ts'
import { viewByLink } from './opened-links.ts'
import { presentKind } from './present-link.ts'
import { longCodeOf } from './short-codes.ts'

type Tools = { codes: LinkCodes; limits: RateLimits; eventParts: readonly EventPart[] }

/** What somebody outside does with a link's code before joining: looks at it, looks by it. Or at a public event. */
export const openedLinkRoutes = (serveOpen: ServeOpen, tools: Tools) => {
  const { eventParts } = tools

  serveOpen(contract.openLink, async ({ db, input, urls, network }) => {
    const code = await longCodeOf(db, tools, input.code, network)
    const link = await links.usableLink(db, code, true, true)
    return {
      link_code: code,
      ...(await showOpened(db, await eventOfLink(db, link), { urls, eventParts })),
      ...presentKind(link),
      link_photographer: link.photographer,
      link_pin_required: link.pin_mac !== null,
      link_expires_at: link.expires_at?.toISOString() ?? null,
    }
  })

  serveOpen(contract.openEvent, async ({ db, input, urls }) => {
    const opened = (await publicEvent(db, input.event_id)) ?? refuse('noSuchEvent')
    const { join_mode: event_join_mode, status: event_status } = opened.event
    return { ...(await showOpened(db, opened, { urls, eventParts })), event_join_mode, event_status }
  })

  serveOpen(contract.viewByLink, async ({ db, input, network }) => {
    const { pin, device_id: deviceId = randomUUID() } = input
    const code = await longCodeOf(db, tools, input.code, network)
    await links.requirePin(db, tools, { code, pin, network, device: deviceId })
    const { link, session } = await viewByLink(db, tools.limits, { code, deviceId, network })
    return {
      event_id: link.event_id,
      ...presentKind(link),
      token: session.token,
      token_expiration: session.expiresAt.toISOString(),
    }
  })
}
