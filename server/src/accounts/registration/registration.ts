import { mailboxOf } from '@afterglow/contract/normalization'
import type { AnyRoute } from '@afterglow/contract/route'
import { sentence } from '@afterglow/contract/words'
import { invalid, refuse } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { RegistrationSettings } from '../../settings/config.ts'

const withoutPlace = new Set([
  ...['leaveEvent', 'joinByLink', 'askToJoin', 'withdrawJoinRequest', 'acceptInvitation', 'declineInvitation'],
  ...['logout', 'refreshToken', 'claimAccount', 'deleteAccount', 'exportAccount', 'removeDevice', 'registerDevice'],
  ...['ping', 'disconnect', 'endActivity', 'readNotification', 'readAllNotifications'],
])

const domainOf = (email: string) => mailboxOf(email).replace(/^.*@/, '').toLowerCase()

export type Registration = ReturnType<typeof openRegistration>

/** Checked wherever an account is created or gets an address. Guests who join by a link have no address yet. */
export const openRegistration = ({ who, mailDomains }: RegistrationSettings) => ({
  who,
  mailDomains,
  /**
   * Refuses invitationNeeded, registrationClosed: before anything is looked up, so that nothing is revealed about
   * others.
   */
  demandOpen() {
    if (who === 'invited') refuse('invitationNeeded')
    if (who === 'closed') refuse('registrationClosed')
  },
  /** The same for a guest, whom an organizer has invited. */
  demandClaimable() {
    if (who === 'closed') refuse('registrationClosed')
  },
  /** Where accounts are not open to everybody, a name on a link makes nothing that outlives it. Refuses guestAccount. */
  demandHost({ isGuest }: Viewer) {
    if (who !== 'open' && isGuest) refuse('guestAccount')
  },
  /** There, a guest who is in no event reads, leaves, comes in and becomes more: whether anything else is asked. */
  needsPlace({ isGuest }: Viewer, operation: AnyRoute): boolean {
    return who !== 'open' && isGuest && operation.at[0]?.[0] !== 'GET' && !withoutPlace.has(operation.name)
  },
  demandDomain(email: string) {
    const domain = domainOf(email)
    if (mailDomains.length > 0 && !mailDomains.some(each => domainOf(`@${each}`) === domain))
      invalid('user_email', sentence.mailDomain)
  },
})
