import { definitionsOf } from '../platform/openid/definition.ts'
import { openProvider } from '../platform/openid/provider.ts'
import type { Needs, Slice } from '../slice.ts'
import { accountExport } from './export.ts'
import { mailTasks } from './mail/mail-jobs.ts'
import { normalizeMailboxes } from './mail/mailboxes.ts'
import { passwordRoutes } from './passwords/password-routes.ts'
import { openAccountReplies } from './present-replies.ts'
import { openIdentities } from './providers/identities.ts'
import { providerCallback, providerRoutes } from './providers/provider-routes.ts'
import { recoveryRoutes } from './recovery/recovery-routes.ts'
import { undoEmailPage } from './recovery/undo-email-page.ts'
import { openRegistration } from './registration/registration.ts'
import { registrationRoutes } from './registration/registration-routes.ts'
import { openOwnCodes } from './returns/own-codes.ts'
import { returnRoutes } from './returns/return-routes.ts'
import { transferRoutes } from './returns/transfer-routes.ts'
import { accountRoutes } from './routes.ts'
import { openLastUses } from './sessions/last-uses.ts'
import { openPresence } from './sessions/presence.ts'
import { openSessionCache } from './sessions/session-cache.ts'
import { sessionRoutes } from './sessions/session-routes.ts'

export const accounts: Slice = {
  name: 'accounts',
  tables: {
    account_transfers: { since: 'expires_at', lives: '0' },
    devices: { since: 'token_expires_at', lives: '0' },
    known_places: { since: 'seen_at', lives: '90 days' },
    login_options: { kept: 'a few a person' },
    mailed_codes: { since: 'expires_at', lives: '0' },
    moved_emails: { since: 'moved_at', lives: '14 days' },
    mails_asked: { since: 'created_at', lives: '1 day' },
    provider_flows: { since: 'expires_at', lives: '0' },
    provider_proofs: { since: 'expires_at', lives: '0' },
    return_keys: { kept: 'one a device of a guest' },
    users: { kept: 'the people' },
  },
  opens: {
    session: ['signing out everywhere', 'another password', 'deletion', 'suspension'],
    'session of a device': [
      'a device signed out',
      'signing out everywhere',
      'another password',
      'deletion',
      'suspension',
    ],
    'session that was let in': [
      ...(['a block', 'the end of its maker’s role'] as const),
      ...(['signing out everywhere', 'another password', 'deletion', 'suspension'] as const),
    ],
    'return key': ['removal', 'sending away', 'signing out everywhere', 'another password', 'deletion', 'suspension'],
    // Also when a session ends that was let in, which may have seen it.
    'own code': [
      ...(['a block', 'the end of its maker’s role', 'a device signed out'] as const),
      ...(['signing out everywhere', 'another password', 'deletion', 'suspension'] as const),
    ],
    'code of a device': ['a device signed out', 'signing out everywhere', 'another password', 'deletion', 'suspension'],
    'code that lets in': [
      ...(['leaving', 'removal', 'sending away', 'a block', 'the end of its maker’s role'] as const),
      ...(['a device signed out', 'signing out everywhere', 'another password', 'deletion', 'suspension'] as const),
    ],
  },
  exports: accountExport,
  gives({ db, background, config, shared, neighbours, timing, log }) {
    const identities = openIdentities(definitionsOf(config.providers).map(each => openProvider(each, timing)))
    const lastUses = openLastUses(background, log)
    return {
      lastUses,
      sessions: openSessionCache(db, { whenUsed: lastUses.note }),
      presence: openPresence(shared, neighbours),
      identities,
      answers: openAccountReplies({ labelOf: identities.labelOf, sendsMail: config.mail.provesAddresses }),
      registration: openRegistration(config.registration),
    }
  },
  open(
    parts: Needs<
      | 'answers'
      | 'background'
      | 'config'
      | 'db'
      | 'identities'
      | 'invitationBy'
      | 'lastUses'
      | 'limits'
      | 'log'
      | 'mailer'
      | 'media'
      | 'perNetwork'
      | 'presence'
      | 'registration'
      | 'secrets'
      | 'serve'
      | 'serveEither'
      | 'serveOpen'
      | 'server'
      | 'sessions'
    >,
  ) {
    const { server, serve, serveOpen, background, mailer, config, log } = parts
    registrationRoutes(serveOpen, parts)
    accountRoutes(serve, parts)
    sessionRoutes(serve, serveOpen, parts)
    passwordRoutes(serve, parts.limits)
    providerRoutes(serve, serveOpen, {
      ...parts,
      corsOrigins: config.corsOrigins.filter(origin => origin.startsWith('http')),
    })
    providerCallback(server, parts)
    recoveryRoutes(serve, serveOpen, parts)
    undoEmailPage(server, parts)
    transferRoutes(parts, parts)
    returnRoutes(serve, serveOpen, { ...parts, codes: openOwnCodes(parts.secrets.media.key) })
    return {
      tasks: {
        ...mailTasks({ db: background, mailer, invitationBy: parts.invitationBy, publicUrl: config.publicUrl, log }),
        settleMailboxes: () => normalizeMailboxes(background, log),
      },
      async close() {
        parts.sessions.close()
        await parts.lastUses.close()
        parts.presence.close()
      },
    }
  },
}
