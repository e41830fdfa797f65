import { kindOfLink, showsChat } from '@afterglow/contract/capabilities'
import type { EventLink } from '@afterglow/contract/links'
import type { z } from 'zod'
import type { Person } from '../../accounts/persons.ts'
import { presentMinimalUser } from '../../accounts/present-person.ts'
import type { Urls } from '../../platform/http/urls.ts'
import type { PresentOptions } from '../event-parts.ts'
import type { LinkCodes } from './link-codes.ts'
import { linkUrls } from './link-picture-routes.ts'
import type { LinkRow } from './links-store.ts'

export const presentLink = (
  row: LinkRow,
  madeBy: Person,
  codes: LinkCodes,
  { urls, extra }: PresentOptions,
): z.output<typeof EventLink> => {
  const code = codes.codeOf(row.nonce)
  return {
    id: row.id,
    event_id: row.event_id,
    link_code: code,
    ...linkUrls(urls, code),
    ...presentKind(row),
    link_photographer: row.photographer,
    link_photos_wait: row.photos_wait,
    link_expires_at: row.expires_at?.toISOString() ?? null,
    link_max_uses: row.uses_max,
    link_uses: row.uses,
    link_pin_required: row.pin_mac !== null,
    link_pin: codes.openPin(row),
    link_status: row.status,
    made_by: presentMinimalUser(madeBy, urls),
    created_at: row.created_at.toISOString(),
    ...(extra && { extra: shortOf(codes, row, urls) }),
  }
}

export const presentKind = ({ role, asks }: Pick<LinkRow, 'asks' | 'role'>) => ({
  link_kind: kindOfLink(role),
  link_asks: asks,
  link_shows_chat: showsChat(role),
})

export const shortOf = (
  codes: LinkCodes,
  { nonce, short_turn }: Pick<LinkRow, 'nonce' | 'short_turn'>,
  { origin }: Urls,
) => {
  const code = short_turn === null ? null : codes.shortCodeOf(nonce, short_turn)
  return { short_code: code, short_url: code && `${origin}/${code}` }
}
