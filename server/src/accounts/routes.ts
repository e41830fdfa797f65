import * as contract from '@afterglow/contract/accounts'
import { ownAccount } from '@afterglow/contract/accounts/user'
import { batched } from '../platform/database/batch.ts'
import type { Database } from '../platform/database/database.ts'
import type { AskingAs } from '../platform/http/handler-context.ts'
import { Unauthenticated } from '../platform/http/refusals.ts'
import type { Serve } from '../platform/http/serve.ts'
import { endingOf } from '../platform/media/file-extensions.ts'
import type { Media } from '../platform/media/store-picture.ts'
import { faultsOfProfile, proofOf } from './account-fields.ts'
import { claimAccount } from './guests.ts'
import type { AccountReplies } from './present-replies.ts'
import * as profile from './profile.ts'
import type { Identities } from './providers/identities.ts'
import { provenByEither } from './providers/prove-identity.ts'
import type { Registration } from './registration/registration.ts'
import { readAccounts } from './store.ts'

type UpdatingAccount = AskingAs<typeof contract.updateAccount>

type Tools = {
  db: Database
  media: Media
  identities: Identities
  answers: AccountReplies
  registration: Registration
}

const changesOf = (input: UpdatingAccount['input']) => ({
  firstName: input.user_first_name,
  middleName: input.user_middle_name ?? null,
  lastName: input.user_last_name,
  email: input.user_email,
  username: input.user_username,
  visible: input.user_visible,
})

export const accountRoutes = (serve: Serve, { db: database, media, identities, answers, registration }: Tools) => {
  const accountOf = batched((userIds: readonly number[]) => readAccounts(database, userIds), { most: 100 })

  serve(contract.readAccount, async ({ viewer, urls }) => {
    const account = await accountOf(viewer.id)
    if (!account) throw new Unauthenticated()
    return answers.present(account, urls)
  })

  const updateAccount = async ({ db, viewer, input, files, urls, language, turn }: UpdatingAccount) => {
    const file = files.profile_picture?.[0]
    const kept = file && (await media.keep(file, 'profile_picture', turn(), 'avatar'))
    await profile.updateProfile(db, registration, viewer, changesOf(input), {
      adopt: input.profile_picture_updated ?? false,
      kept,
      language,
    })
    return answers.account(db, viewer.id, urls)
  }
  serve(contract.updateAccount, updateAccount, undefined, async (fields, viewer) =>
    faultsOfProfile({ db: database, registration }, fields, viewer?.id ?? 0),
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

  serve(contract.claimAccount, async ({ db, viewer, input, urls, language }) => {
    const { user_email: email, user_username: username, user_password: password = '' } = input
    const { user_login_option_type: type = ownAccount } = input
    const byPassword = type === ownAccount && input.provider_code === undefined
    const by = byPassword ? { password } : { proven: await provenByEither(identities, type, proofOf(input)) }
    await claimAccount(db, registration, viewer, { email, username, by }, language)
    return answers.account(db, viewer.id, urls)
  })
}
