import type * as contract from '@afterglow/contract/providers'
import { operation } from './operation.ts'

/**
 * Returns how to sign in to this service: the providers it accepts, their types and button labels, and who may create
 * an account. `invited`: only guests who joined by a link, with claimAccount.
 *
 * `GET api/account/provider/list`, at most 120 times a minute.
 */
export const listProviders = operation<typeof contract.listProviders>('GET', 'api/account/provider/list')
/**
 * Returns where to send the browser to sign in with a provider. It returns to return_to with #provider_code=… or with
 * #provider_error=denied, failed or away. The client keeps a random verifier and sends its SHA-256 hash here as the
 * challenge.
 *
 * `POST api/account/provider/begin`, at most 30 times a minute.
 * @throws providerAway: The sign-in provider cannot be reached. Please try again later.
 */
export const beginProviderSignIn = operation<typeof contract.beginProviderSignIn>('POST', 'api/account/provider/begin')
/**
 * Signs in with a provider_code and its verifier. New users get an account; details that the provider did not supply
 * are requested by a validation error, after which the same code remains valid.
 *
 * `POST api/account/provider/finish`, at most 10 times a minute.
 * @throws badProviderCode: The sign-in has expired or was finished before. Please start again.
 * @throws wrongDetails: Incorrect Details. Please try again.
 * @throws registrationClosed: This service takes no new accounts.
 * @throws invitationNeeded: This service takes new accounts only from guests of an event.
 */
export const finishProviderSignIn = operation<typeof contract.finishProviderSignIn>(
  'POST',
  'api/account/provider/finish',
)
/**
 * Adds a provider as a way to sign in, identified by its ID token in user_password with the subject as identifier, or
 * by the code from a browser sign-in.
 *
 * `POST api/account/login/option`, at most 10 times a minute.
 * @throws badProviderCode: The sign-in has expired or was finished before. Please start again.
 * @throws providerAway: The sign-in provider cannot be reached. Please try again later.
 * @throws otherIdentityLinked: Another account of this provider is linked. Remove it first.
 * @throws claimFirst: Please complete your account first.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 */
export const linkLoginOption = operation<typeof contract.linkLoginOption>('POST', 'api/account/login/option')
/**
 * Removes a way to sign in; type 1 is the password. The last one cannot be removed.
 *
 * `DELETE api/account/login/option`, at most 10 times a minute.
 * @throws noSuchLoginOption: Login option not found!
 * @throws lastLoginOption: The last way to sign in cannot be removed.
 * @throws proveFirst: Please confirm that it is you: by your password, or by signing in again.
 */
export const unlinkLoginOption = operation<typeof contract.unlinkLoginOption>('DELETE', 'api/account/login/option')
