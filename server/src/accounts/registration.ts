import { sentence } from '@afterglow/contract/words'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { RegistrationSettings } from '../settings/config.ts'

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
  demandDomain(email: string) {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
    if (mailDomains.length > 0 && !mailDomains.includes(domain)) invalid('user_email', sentence.mailDomain)
  },
})
