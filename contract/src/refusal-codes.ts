import type { DeclaredCode } from './slices.ts'

/** Refusals that any operation may return, by status. */
export const generalCodes = {
  400: 'unreadable',
  401: 'unauthenticated',
  404: 'notFound',
  405: 'wrongMethod',
  409: 'wrongOffset',
  412: 'otherTusVersion',
  413: 'tooLarge',
  416: 'noSuchRange',
  417: 'unmetExpectation',
  423: 'otherWriter',
  429: 'tooManyRequests',
  500: 'fault',
  503: 'unavailable',
} as const
/** One or more fields of the request are invalid; the body names each. */
export const invalidCode = 'invalid'
/** The token is one that a link gives, and the operation is not among what such a link is for. */
export const notForLinkCode = 'notForLink'

/** All that an operation may return without naming it. */
export const anyCodes = [...Object.values(generalCodes), invalidCode, notForLinkCode] as const
export type GeneralCode = (typeof anyCodes)[number]

/** Every refusal documented by an operation of the contract. Any other code does not compile. */
export type RefusalCode = DeclaredCode
