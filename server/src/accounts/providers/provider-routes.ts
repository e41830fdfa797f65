import * as contract from '@afterglow/contract/providers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Database, type Transaction, transact } from '../../platform/database/database.ts'
import type { Body } from '../../platform/http/bodies/body.ts'
import type { AnonymousContext } from '../../platform/http/handler-context.ts'
import { networkOf, type RateLimits } from '../../platform/http/limits.ts'
import { Unreadable } from '../../platform/http/refusals.ts'
import type { Serve, ServeOpen } from '../../platform/http/serve.ts'
import { deviceOf, proofOf } from '../account-fields.ts'
import { openAccountBy } from '../new-accounts.ts'
import type { AccountReplies } from '../present-replies.ts'
import type { Registration } from '../registration/registration.ts'
import { openSession } from '../sessions/sessions.ts'
import { enter } from '../sessions/sign-in.ts'
import * as store from '../store.ts'
import { type Identities, linkForViewer, unlink } from './identities.ts'
import { provenByEither } from './prove-identity.ts'
import { beginFlow, type Returned, redeem, returnFromProvider } from './provider-flows.ts'

const callbackPath = '/api/account/provider/callback'

type Parts = {
  identities: Identities
  answers: AccountReplies
  registration: Registration
  /** Origins of web clients, besides our own address, to which a browser may return. */
  corsOrigins: readonly string[]
}

export const providerRoutes = (
  serve: Serve,
  serveOpen: ServeOpen,
  { identities, answers, registration, corsOrigins }: Parts,
) => {
  serveOpen(contract.listProviders, async () => ({
    providers: identities.providers.map(({ type, name, browser }) => ({
      user_login_option_type: type,
      user_login_option_name: name,
      browser,
    })),
    registration: registration.who,
    registration_mail_domains: [...registration.mailDomains],
  }))

  serveOpen(contract.beginProviderSignIn, async ({ db, input, urls }) => {
    const beginning = {
      type: input.user_login_option_type,
      returnTo: input.return_to,
      challenge: input.provider_challenge,
      redirectUri: urls.origin + callbackPath,
    }
    return { authorization_url: await beginFlow(db, identities, beginning, [urls.origin, ...corsOrigins]) }
  })

  serveOpen(contract.finishProviderSignIn, async ({ db, input, urls, language, languageAsked }) => {
    const device = deviceOf(input, languageAsked)
    const signedIn = await transact(db, tx => signInBy(tx, registration, { input, device, language }))
    return answers.signedIn(db, signedIn, urls)
  })

  serve(contract.linkLoginOption, async ({ db, viewer, input, urls, language }) => {
    const { user_login_option_type: type } = input
    const { name: label } = identities.providerOf(type)
    const proven = await provenByEither(identities, type, proofOf(input))
    await transact(db, async tx => linkForViewer(tx, viewer, await proven(tx), { label, language }))
    return answers.account(db, viewer.id, urls)
  })

  serve(contract.unlinkLoginOption, async ({ db, viewer, input, urls }) => {
    await unlink(db, viewer, input.user_login_option_type)
    return answers.account(db, viewer.id, urls)
  })
}

type SigningIn = Pick<AnonymousContext<typeof contract.finishProviderSignIn>, 'input' | 'language'> & {
  device: ReturnType<typeof deviceOf>
}

/** Lets in whom the provider has proven, as a newcomer if nobody knows them. */
const signInBy = async (tx: Transaction, registration: Registration, { input, device, language }: SigningIn) => {
  const identity = await redeem(tx, { code: input.provider_code, verifier: input.provider_verifier })
  const known = await store.findByIdentity(tx, identity)
  if (known) return enter(tx, known, device)
  registration.demandOpen()
  const newcomer = {
    firstName: input.user_first_name,
    middleName: input.user_middle_name,
    lastName: input.user_last_name,
    username: input.user_username,
    email: input.user_email,
    timezone: device.timezone,
  }
  const userId = await openAccountBy(tx, registration, identity, newcomer, language)
  return { userId, session: await openSession(tx, userId, device) }
}

type CallbackParts = { db: Database; identities: Identities; limits: RateLimits; perNetwork: number }

/** In the fragment, which browsers send to no server and no other page. */
const backTo = (returned: Returned) => {
  const url = new URL(returned.returnTo)
  const told = 'code' in returned ? ['provider_code', returned.code] : ['provider_error', returned.error]
  url.hash = new URLSearchParams([told]).toString()
  return url.href
}

/** Where providers send browsers back to: by a link, or, as Apple does, by a form that the browser posts. */
export const providerCallback = (server: FastifyInstance, { db, identities, limits, perNetwork }: CallbackParts) => {
  const cameBack = async (request: FastifyRequest, returned: URLSearchParams) => {
    const next = await returnFromProvider(db, identities, returned)
    // The state parameter is unguessable, so a caller who presents it must have started here.
    if (!next) await limits.spend('failed provider callback', networkOf(request.ip), perNetwork)
    if (!next) throw new Unreadable('The sign-in has expired or was finished before. Please start again.')
    return backTo(next)
  }
  const fieldsOf = (fields: object) =>
    new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    )

  server.get(callbackPath, async (request, reply) =>
    reply.redirect(await cameBack(request, fieldsOf(request.query as object)), 303),
  )
  server.post(callbackPath, async (request, reply) =>
    reply.redirect(await cameBack(request, fieldsOf((request.body as Body | undefined)?.fields ?? {})), 303),
  )
}
