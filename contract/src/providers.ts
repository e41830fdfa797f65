/** Sign-in with a provider: Google, Apple, Facebook, or an OpenID provider configured by the operator. */
import { z } from 'zod'
import { deviceFields, LoginOptionType, PersonName, ProviderSecret, Username } from './accounts/account-fields.ts'
import { proveFirst } from './accounts/passwords.ts'
import { wrongDetails } from './accounts/sessions.ts'
import { Account, AuthenticatedAccount } from './accounts/user.ts'
import { badProviderCode, invitationNeeded, providerAway, registrationClosed } from './accounts.ts'
import { emailLengthMax } from './limits.ts'
import { type RefusalPage, reload } from './refusal-advice.ts'
import { notFound, route, says } from './route.ts'
import { Email, matching, maybe, sentence, shape, text } from './words.ts'

const Provider = z.strictObject({
  user_login_option_type: z.int(),
  user_login_option_name: z.string(),
  /** Whether beginProviderSignIn supports it; otherwise only apps can use it, with an ID token. */
  browser: z.boolean().describe('Whether the provider can be used from a browser.'),
})

const Challenge = matching(/^[\w-]{43}$/, 43, 43)

/** Why each is given, and what a client should do: the pages of refusals are made of it. */
export const refusalPages = {
  claimFirst: {
    cause: 'A guest account must become a full account before it can be linked to a provider.',
    client: 'Direct the user to `POST api/account/claim`.',
  },
  lastLoginOption: {
    cause: 'This is the only way left to sign in to the account.',
    client: 'Offer to set a password or link another provider first.',
  },
  otherIdentityLinked: {
    cause: 'The account is already linked to a different identity from this provider.',
    client: 'Offer to unlink that identity first.',
  },
  noSuchLoginOption: { cause: 'The account has no such login option.', client: reload },
} satisfies Record<string, RefusalPage>

export const listProviders = route('listProviders', 'GET api/account/provider/list', {
  summary:
    'Returns how to sign in to this service: the providers it accepts, their types and button labels, and who may create an account. `invited`: only guests who joined by a link, with claimAccount.',
  open: true,
  crowd: true,
  input: z.object({}),
  reply: shape('Providers', {
    providers: z.array(Provider).describe('Sign-in providers that this service accepts.'),
    registration: z.enum(['open', 'invited', 'closed']).describe('Who may create an account: open, invited or closed.'),
    registration_mail_domains: z
      .array(z.string())
      .describe('E-mail domains allowed to register; empty if any domain is allowed.'),
  }),
  refusals: {},
})

export const beginProviderSignIn = route('beginProviderSignIn', 'POST api/account/provider/begin', {
  summary:
    'Returns where to send the browser to sign in with a provider. It returns to return_to with #provider_code=… or with #provider_error=denied, failed or away. The client keeps a random verifier and sends its SHA-256 hash here as the challenge.',
  open: true,
  perMinute: 30,
  input: z.object({
    user_login_option_type: LoginOptionType,
    return_to: text(2000).describe('Where the browser returns after signing in.'),
    provider_challenge: Challenge,
  }),
  reply: shape('ProviderSignIn', { authorization_url: z.url() }),
  refusals: { providerAway },
})

export const finishProviderSignIn = route('finishProviderSignIn', 'POST api/account/provider/finish', {
  opens: ['session'],
  summary:
    'Signs in with a provider_code and its verifier. New users get an account; details that the provider did not supply are requested by a validation error, after which the same code remains valid.',
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

export const linkLoginOption = route('linkLoginOption', 'POST api/account/login/option', {
  summary:
    'Adds a provider as a way to sign in, identified by its ID token in user_password with the subject as identifier, or by the code from a browser sign-in.',
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

export const unlinkLoginOption = route('unlinkLoginOption', 'DELETE api/account/login/option', {
  summary: 'Removes a way to sign in; type 1 is the password. The last one cannot be removed.',
  perMinute: 10,
  input: z.object({ user_login_option_type: LoginOptionType }),
  reply: Account,
  refusals: {
    noSuchLoginOption: notFound('Login option not found!'),
    lastLoginOption: says('The last way to sign in cannot be removed.'),
    proveFirst,
  },
})
