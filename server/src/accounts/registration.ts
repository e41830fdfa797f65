import { sentence } from '@afterglow/contract/words'
import { invalid, refuse } from '../platform/http/refusals.ts'
import type { RegistrationSettings } from '../settings/config.ts'

export type Registration = ReturnType<typeof openRegistration>

/** Asked wherever an account begins or gets an address, whichever way it came. Guests of a link have no address yet. */
export const openRegistration = ({ who, mailDomains }: RegistrationSettings) => ({
  who,
  mailDomains,
  /** Refuses invitationNeeded, registrationClosed: before anything is looked up, so that nothing is told of others. */
  demandOpen() {
    if (who === 'invited') refuse('invitationNeeded')
    if (who === 'closed') refuse('registrationClosed')
  },
  /** The same for a guest, whom an organizer invited. */
  demandClaimable() {
    if (who === 'closed') refuse('registrationClosed')
  },
  demandDomain(email: string) {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
    if (mailDomains.length > 0 && !mailDomains.includes(domain)) invalid('user_email', sentence.mailDomain)
  },
})
