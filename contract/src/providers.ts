/** Signing in by somebody who vouches for a person: Google, Apple, Facebook, or an OpenID provider of the operator's. */
import { z } from 'zod'
import {
  Account,
  AuthenticatedAccount,
  badProviderCode,
  deviceFields,
  invitationNeeded,
  LoginOptionType,
  PersonName,
  ProviderSecret,
  proveFirst,
  providerAway,
  registrationClosed,
  Username,
  wrongDetails,
} from './accounts.ts'
import { emailLengthMax } from './limits.ts'
import { notFound, route, says } from './route.ts'
import { Email, matching, maybe, sentence, shape, text } from './words.ts'

const Provider = z.strictObject({
  user_login_option_type: z.int(),
  user_login_option_name: z.string(),
  /** Whether beginProviderSignIn takes it; otherwise only apps sign in with it, by an ID token. */
  browser: z.boolean(),
})

const Challenge = matching(/^[\w-]{43}$/, 43, 43)

export const listProviders = route({
  name: 'listProviders',
  summary:
    'The ways to get in here: the providers that this service takes, their types and what to write on their buttons, and who may open an account. `invited`: guests who came by a link, by claimAccount.',
  at: [['GET', 'api/account/provider/list']],
  open: true,
  input: z.object({}),
  reply: shape('Providers', {
    providers: z.array(Provider),
    registration: z.enum(['open', 'invited', 'closed']),
    /** At which domains an account’s address may be; none: at any. */
    registration_mail_domains: z.array(z.string()),
  }),
  refusals: {},
})

export const beginProviderSignIn = route({
  name: 'beginProviderSignIn',
  summary:
    'Says where the browser goes to sign in with a provider. It comes back to return_to with #provider_code=… or #provider_error=denied, failed or away. The browser keeps a random verifier and sends its SHA-256 here as the challenge.',
  at: [['POST', 'api/account/provider/begin']],
  open: true,
  perMinute: 30,
  input: z.object({
    user_login_option_type: LoginOptionType,
    return_to: text(2000),
    provider_challenge: Challenge,
  }),
  reply: shape('ProviderSignIn', { authorization_url: z.url() }),
  refusals: { providerAway },
})

export const finishProviderSignIn = route({
  name: 'finishProviderSignIn',
  summary:
    'Signs in who came back with a provider_code and has its verifier. Somebody new gets an account; what the provider did not tell of them is asked for by a validation error, after which the same code still serves.',
  at: [['POST', 'api/account/provider/finish']],
  open: true,
  perMinute: 10,
  input: z.object({
    provider_code: ProviderSecret,
    provider_verifier: ProviderSecret,
    user_first_name: maybe(PersonName),
    user_middle_name: maybe(PersonName),
    user_last_name: maybe(PersonName),
    user_username: maybe(Username),
    user_email: maybe(Email(emailLengthMax)),
    ...deviceFields,
  }),
  reply: AuthenticatedAccount,
  refusals: { badProviderCode, wrongDetails, registrationClosed, invitationNeeded },
})

export const linkLoginOption = route({
  name: 'linkLoginOption',
  summary:
    "Adds a provider as a way to sign in: by its ID token in user_password with the subject as identifier, or by what a browser's sign-in came back with.",
  at: [['POST', 'api/account/login/option']],
  perMinute: 10,
  input: z
    .object({
      user_login_option_type: LoginOptionType,
      user_login_option_unique_identifier: maybe(text(255)),
      user_password: maybe(z.string(sentence.string)),
      provider_code: maybe(ProviderSecret),
      provider_verifier: maybe(ProviderSecret),
    })
    .superRefine((asked, check) => {
      const needed = asked.provider_code
        ? (['provider_verifier'] as const)
        : (['user_login_option_unique_identifier', 'user_password'] as const)
      for (const field of needed)
        if (asked[field] === undefined)
          check.addIssue({ code: 'custom', path: [field], message: sentence.required, input: undefined })
    }),
  reply: Account,
  refusals: {
    badProviderCode,
    providerAway,
    otherIdentityLinked: says('Another account of this provider is linked. Remove it first.'),
    claimFirst: says('Please complete your account first.'),
    proveFirst,
  },
})

export const unlinkLoginOption = route({
  name: 'unlinkLoginOption',
  summary: 'Removes a way to sign in; type 1 is the password. The last one stays.',
  at: [['DELETE', 'api/account/login/option']],
  perMinute: 10,
  input: z.object({ user_login_option_type: LoginOptionType }),
  reply: Account,
  refusals: {
    noSuchLoginOption: notFound('Login option not found!'),
    lastLoginOption: says('The last way to sign in cannot be removed.'),
    proveFirst,
  },
})
