import { roleOfLink } from '@afterglow/contract/capabilities'
import * as contract from '@afterglow/contract/links'
import { sentence } from '@afterglow/contract/words'
import type { Registration } from '../../accounts/registration/registration.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Serve } from '../../platform/http/serve.ts'
import { eventFor, requireCapability } from '../access.ts'
import type { LinkCodes } from './link-codes.ts'
import * as links from './links.ts'
import * as store from './links-store.ts'
import { giveShortCode, withShortCodes } from './short-codes.ts'
import { showingLinks, showLink } from './show-link.ts'

/** Links from the side of those who invite; opened-link-routes.ts serves their visitors. */
export const linkRoutes = (serve: Serve, { registration, codes }: { registration: Registration; codes: LinkCodes }) => {
  serve(
    contract.makeLink,
    async ({ viewer, input, once, ...presenting }) => {
      const { event_id: eventId, max_uses: usesMax = null, expires_at: expiresAt = null, pin } = input
      const role = roleOfLink(input.kind ?? 'guest', input.shows_chat ?? false)
      if (role === undefined) return invalid('shows_chat', sentence.selected)
      const photographer = input.photographer ?? false
      if (photographer && role !== 'drop') return invalid('photographer', sentence.selected)
      const photosWait = input.photos_wait ?? !photographer
      if (!photosWait && !photographer) return invalid('photos_wait', sentence.selected)
      registration.demandHost(viewer)
      return once(async db => {
        const wish = { ...links.forGuests, eventId, usesMax, expiresAt, pin, role, photographer, photosWait }
        const link = await links.makeLink(db, codes, viewer, wish)
        link.short_turn = await giveShortCode(db, codes, link)
        return showLink(db, codes, link, presenting)
      })
    },
    {
      // The code is not stored: someone who can read the table of replies must not find it there.
      keep: link => link.id,
      replay: async ({ db, viewer, input, ...presenting }, id: number) => {
        requireCapability(await eventFor(db, viewer, input.event_id), 'invite')
        return showLink(db, codes, (await store.findLink(db, id)) as store.LinkRow, presenting)
      },
    },
  )

  serve(contract.listLinks, async ({ db, viewer, input, page, ...presenting }) => {
    const event = requireCapability(await eventFor(db, viewer, input.event_id), 'invite')
    const rows = await withShortCodes(db, codes, await store.listLinks(db, event, rangeOf(input)))
    return page(rows, await showingLinks(db, codes, rows, presenting))
  })

  serve(contract.revokeLink, async ({ db, viewer, input }) => {
    await links.revokeLink(db, viewer, input.link_id)
    return { done: true as const }
  })

  serve(contract.revokeLinks, async ({ db, viewer, input }) => {
    await links.revokeLinks(db, viewer, input.event_id)
    return { done: true as const }
  })

  serve(contract.reopenLink, async ({ db, viewer, input, ...presenting }) => {
    const link = await links.reopenLink(db, viewer, input.link_id)
    return showLink(db, codes, link, presenting)
  })
}
