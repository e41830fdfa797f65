/** Sign-in with a provider: Google, Apple, Facebook, or an OpenID provider configured by the operator. */
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
  /** Whether beginProviderSignIn supports it; otherwise only apps can use it, with an ID token. */
  browser: z.boolean(),
})

const Challenge = matching(/^[\w-]{43}$/, 43, 43)

export const listProviders = route({
  name: 'listProviders',
  summary:
    'Returns how to sign in to this service: the providers it accepts, their types and button labels, and who may create an account. `invited`: only guests who joined by a link, with claimAccount.',
  at: [['GET', 'api/account/provider/list']],
  open: true,
  crowd: true,
  input: z.object({}),
  reply: shape('Providers', {
    providers: z.array(Provider),
    registration: z.enum(['open', 'invited', 'closed']),
    /** The domains allowed for e-mail addresses; empty if any is. */
    registration_mail_domains: z.array(z.string()),
  }),
  refusals: {},
})

export const beginProviderSignIn = route({
  name: 'beginProviderSignIn',
  summary:
    'Returns where to send the browser to sign in with a provider. It returns to return_to with #provider_code=… or with #provider_error=denied, failed or away. The client keeps a random verifier and sends its SHA-256 hash here as the challenge.',
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
    'Signs in with a provider_code and its verifier. New users get an account; details that the provider did not supply are requested by a validation error, after which the same code remains valid.',
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
    'Adds a provider as a way to sign in, identified by its ID token in user_password with the subject as identifier, or by the code from a browser sign-in.',
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
  summary: 'Removes a way to sign in; type 1 is the password. The last one cannot be removed.',
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
