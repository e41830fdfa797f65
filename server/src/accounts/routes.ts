import * as contract from '@afterglow/contract/accounts'
import { batched } from '../platform/database/batch.ts'
import { type Database, transact } from '../platform/database/database.ts'
import type { AskingAs } from '../platform/http/asking.ts'
import type { RateLimits } from '../platform/http/limits.ts'
import { rangeOf } from '../platform/http/pages.ts'
import { Unauthenticated } from '../platform/http/refusals.ts'
import type { Serve, ServeOpen } from '../platform/http/serve.ts'
import { endingOf } from '../platform/media/endings.ts'
import type { Media } from '../platform/media/records.ts'
import { deviceOf, faultsOfNames, faultsOfProfile, proofOf } from './account-fields.ts'
import { claimAccount } from './guests.ts'
import { openAccountBy } from './newcomers.ts'
import { presentDevice } from './present.ts'
import type { Answers } from './present-answers.ts'
import * as profile from './profile.ts'
import { prove } from './proofs.ts'
import type { Identities } from './providers/identities.ts'
import { provenBy, provenByEither } from './providers/prove-identity.ts'
import type { Registration } from './registration.ts'
import type { Presence } from './sessions/presence.ts'
import * as sessions from './sessions/sessions.ts'
import { listDevices } from './sessions/sessions-store.ts'
import { authenticate, authenticateBy, register, signInAgain, signInAgainBy } from './sessions/sign-in.ts'
import { readAccounts } from './store.ts'

const done = { done: true } as const

type UpdatingAccount = AskingAs<typeof contract.updateAccount>

type Parts = {
  db: Database
  limits: RateLimits
  media: Media
  presence: Presence
  identities: Identities
  answers: Answers
  registration: Registration
}

export const accountRoutes = (
  serve: Serve,
  serveOpen: ServeOpen,
  { db: database, limits, media, presence, identities, answers, registration }: Parts,
) => {
  const accountOf = batched((userIds: readonly number[]) => readAccounts(database, userIds), { most: 100 })

  serveOpen(
    contract.register,
    async ({ input, urls, language, once, turn, languageAsked }) => {
      registration.demandOpen()
      const device = deviceOf(input, languageAsked)
      const named = {
        firstName: input.user_first_name,
        lastName: input.user_last_name,
        username: input.user_username,
        email: input.user_email,
      }
      if (input.user_login_option_type !== contract.ownAccount) {
        const identity = await provenBy(identities, input.user_login_option_type, proofOf(input))
        const newcomer = { ...named, middleName: input.user_middle_name, timezone: device.timezone }
        return once(async db => {
          const signedIn = await transact(db, async tx => {
            const userId = await openAccountBy(tx, registration, identity, newcomer, language)
            return { userId, session: await sessions.openSession(tx, userId, device) }
          })
          return answers.signedIn(db, signedIn, urls)
        })
      }
      registration.demandDomain(named.email)
      const asked = {
        ...named,
        middleName: input.user_middle_name ?? null,
        password: input.user_password ?? '',
        identifier: input.user_login_option_unique_identifier,
        device,
        turn: turn(),
      }
      return once(async db => answers.signedIn(db, await register(db, asked, language), urls))
    },
    {
      // The token is not stored: a repeat proves the password and signs the device in again.
      keep: answer => answer.user.id,
      replay: async ({ db, input, urls, turn, languageAsked }, userId: number) => {
        const device = deviceOf(input, languageAsked)
        const signedIn =
          input.user_login_option_type === contract.ownAccount
            ? await signInAgain(db, userId, { password: input.user_password ?? '', device, turn: turn() })
            : await signInAgainBy(
                db,
                userId,
                await provenBy(identities, input.user_login_option_type, proofOf(input)),
                device,
              )
        return answers.signedIn(db, signedIn, urls)
      },
    },
    // Where nobody may register, nothing is revealed about others.
    async fields =>
      registration.who === 'open' ? faultsOfNames({ db: database, registration, identities }, fields, 0) : {},
  )

  serveOpen(contract.authenticate, async ({ db, input, urls, network, turn, languageAsked }) => {
    const { user_login_option_type: type, user_login_id: loginId, user_password: password } = input
    const device = deviceOf(input, languageAsked)
    const signedIn =
      type === contract.ownAccount
        ? await authenticate(db, limits, { loginId, password, device, network, turn: turn() })
        : await authenticateBy(db, { limits, identities }, { type, identifier: loginId, idToken: password }, device)
    return answers.signedIn(db, signedIn, urls)
  })

  serve(contract.readAccount, async ({ viewer, urls }) => {
    const account = await accountOf(viewer.id)
    if (!account) throw new Unauthenticated()
    return answers.present(account, urls)
  })

  const updateAccount = async ({ db, viewer, input, files, urls, language, turn }: UpdatingAccount) => {
    const file = files.profile_picture?.[0]
    const changes = {
      firstName: input.user_first_name,
      middleName: input.user_middle_name ?? null,
      lastName: input.user_last_name,
      email: input.user_email,
      username: input.user_username,
      visible: input.user_visible,
    }
    const kept = file && (await media.keep(file, 'profile_picture', turn(), 'avatar'))
    await profile.updateProfile(db, registration, viewer, changes, {
      adopt: input.profile_picture_updated ?? false,
      kept,
      language,
    })
    return answers.account(db, viewer.id, urls)
  }
  serve(contract.updateAccount, updateAccount, undefined, async (fields, viewer) =>
    faultsOfProfile({ db: database, registration }, fields, viewer?.id ?? 0),
  )

  serve(contract.logout, async ({ db, viewer, input }) => {
    await sessions.logOut(db, viewer, { allDevices: input.all_devices ?? false })
    await presence.disconnect(viewer.deviceRow)
    return done
  })

  serve(contract.refreshToken, async ({ db, viewer, urls }) =>
    answers.signedIn(db, { userId: viewer.id, session: await sessions.refreshSession(db, viewer) }, urls),
  )

  serve(contract.stageAvatar, async ({ db, viewer, files, urls, turn }) => {
    const [file] = files.profile_picture as [NonNullable<typeof files.profile_picture>[number]]
    const kept = await media.keep(file, 'profile_picture', turn(), 'avatar')
    const staged = await profile.stageAvatar(db, viewer, kept)
    return { user_avatar_url: urls.media(staged, 'display', 0, endingOf(kept.prepared.variants.display.type)) }
  })

  serve(contract.removeAvatar, async ({ db, viewer, urls }) => {
    await profile.removeAvatar(db, viewer)
    return answers.account(db, viewer.id, urls)
  })

  serve(contract.updateSettings, async ({ db, viewer, input, urls }) => {
    await profile.muteNotifications(db, viewer, input.user_setting_mute_notification)
    return answers.account(db, viewer.id, urls)
  })

  serve(contract.updatePassword, async ({ db, viewer, input, language }) => {
    const passwords = { current: input.current_password, next: input.user_password }
    await profile.changePassword(db, limits, viewer, passwords, language)
    return done
  })

  serve(contract.proveAccount, async ({ db, viewer, input }) => ({
    proven_until: (await prove(db, limits, viewer, input.user_password)).toISOString(),
  }))

  serve(contract.claimAccount, async ({ db, viewer, input, urls, language }) => {
    const { user_email: email, user_username: username, user_password: password = '' } = input
    const { user_login_option_type: type = contract.ownAccount } = input
    const byPassword = type === contract.ownAccount && input.provider_code === undefined
    const by = byPassword ? { password } : { proven: await provenByEither(identities, type, proofOf(input)) }
    await claimAccount(db, registration, viewer, { email, username, by }, language)
    return answers.account(db, viewer.id, urls)
  })

  serve(contract.listDevices, async ({ db, viewer, input, page }) => {
    const rows = await listDevices(db, viewer.id, rangeOf(input))
    const active = await presence.activeOf(rows.map(row => row.id))
    return page(rows, row => presentDevice(row, viewer, active.has(row.id)))
  })

  serve(contract.removeDevice, async ({ db, viewer, input }) => {
    await sessions.removeDevice(db, viewer, input.device_id)
    return done
  })

  serve(contract.ping, async ({ viewer }) => ({
    active: true as const,
    active_until: (await presence.ping(viewer.deviceRow)).toISOString(),
  }))

  serve(contract.disconnect, async ({ viewer }) => {
    await presence.disconnect(viewer.deviceRow)
    return { active: false as const }
  })
}
