import { kindOfLink } from '@afterglow/contract/capabilities'
import type { Person } from '../../accounts/persons.ts'
import { personsById } from '../../accounts/persons-sql.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Urls } from '../../platform/http/urls.ts'
import { isPlanned } from '../access.ts'
import type { PresentOptions } from '../event-parts.ts'
import type { EventRow } from '../store.ts'
import type { LinkCodes } from './link-codes.ts'
import { linkUrls } from './link-picture-routes.ts'
import { type LinkRow, linksForAll } from './links-store.ts'
import { presentLink, shortOf } from './present-link.ts'

/** How to present these links, each with who made it. */
export const showingLinks = async (db: Db, codes: LinkCodes, rows: readonly LinkRow[], presenting: PresentOptions) => {
  const madeBy = await personsById(
    db,
    rows.map(row => row.created_by),
  )
  return (row: LinkRow) => presentLink(row, madeBy.get(row.created_by) as Person, codes, presenting)
}

export const showLink = async (db: Db, codes: LinkCodes, row: LinkRow, presenting: PresentOptions) =>
  (await showingLinks(db, codes, [row], presenting))(row)

/**
 * The link that a screen shows to everybody at the venue: the newest open one by which many come in as guests, without a
 * PIN, or else with one that can be shown beside it. Null if there is none.
 */
export const linkForAll = async (db: Db, event: EventRow, { codes, urls }: { codes: LinkCodes; urls: Urls }) => {
  if (!isPlanned(event) || !event.listed) return null
  const links = (await linksForAll(db, event.id))
    .filter(({ role }) => kindOfLink(role) === 'guest')
    .map(link => ({ ...link, pin: codes.openPin(link) }))
  const found = links.find(link => link.pin_mac === null) ?? links.find(link => link.pin !== null)
  if (!found) return null
  const { link_url, link_qr_svg_url } = linkUrls(urls, codes.codeOf(found.nonce))
  return { link_url, link_qr_svg_url, link_pin: found.pin, ...shortOf(codes, found, urls) }
}
