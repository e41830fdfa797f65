import { userStatus } from '@afterglow/contract/accounts/user'
import type { Locale } from '@afterglow/contract/languages'
import { sentence } from '@afterglow/contract/words'
import { type Db, transact } from '../platform/database/database.ts'
import type { RateLimits } from '../platform/http/limits.ts'
import { invalid } from '../platform/http/refusals.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { addMedia, removeMedia } from '../platform/media/records.ts'
import type { StoredPicture } from '../platform/media/store-picture.ts'
import { hashPassword } from './passwords/passwords.ts'
import { provenLately, requirePassword } from './proofs.ts'
import { changedEmail, replacePassword } from './recovery/recovery.ts'
import type { Registration } from './registration/registration.ts'
import { isReserved } from './registration/reserved-usernames.ts'
import { refuseTaken } from './sessions/sign-in.ts'
import * as store from './store.ts'

export type Profile = {
  firstName: string
  middleName: string | null
  /** Undefined: none, which only a guest account may have. */
  lastName: string | undefined
  email: string
  username: string
  visible: boolean | undefined
}

/** Updates the profile; `adopt` makes the uploaded picture, or the one sent along, the avatar. */
export const updateProfile = (
  db: Db,
  registration: Registration,
  viewer: Viewer,
  profile: Profile,
  { language, ...picture }: { adopt: boolean; kept: StoredPicture | undefined; language: Locale },
) =>
  transact(db, async tx => {
    await store.lockUser(tx, viewer.id)
    const before = await store.readAccount(tx, viewer.id)
    const isGuest = before.status === userStatus.guest
    if (profile.lastName === undefined && !isGuest) invalid('user_last_name', sentence.required)
    // A guest account gets an address by being claimed, together with a way to sign in.
    if (isGuest && profile.email !== before.email) invalid('user_email', sentence.selected)
    const moves = profile.email.toLowerCase() !== before.email.toLowerCase()
    if (moves) registration.demandDomain(profile.email)
    const renamed = profile.username.toLowerCase() !== before.username.toLowerCase()
    if (renamed && isReserved(profile.username)) await refuseTaken(tx, { ...profile, exceptId: viewer.id })
    const changed = await store.updateUser(tx, viewer.id, {
      first_name: profile.firstName,
      middle_name: profile.middleName,
      last_name: profile.lastName ?? '',
      email: profile.email,
      username: profile.username,
      visible: profile.visible ?? before.visible,
    })
    if (!changed) await refuseTaken(tx, { ...profile, exceptId: viewer.id })
    await store.moveOwnLogin(tx, viewer.id, { from: before.email, to: profile.email })
    if (moves) {
      const proven = await provenLately(tx, viewer)
      await changedEmail(tx, before, { email: profile.email, proven, language })
    }
    if (picture.kept) await stageAvatar(tx, viewer, picture.kept)
    if (picture.adopt) await adoptStagedAvatar(tx, viewer)
  })

/** Stores a picture for the next profile update. Returns its media ID. */
export const stageAvatar = (db: Db, viewer: Viewer, kept: StoredPicture): Promise<number> =>
  transact(db, async tx => {
    await store.lockUser(tx, viewer.id)
    const { staged_avatar_media_id: earlier } = await store.readAccount(tx, viewer.id)
    const staged = await addMedia(tx, kept, { eventId: null, ownerId: viewer.id })
    await store.setStagedAvatar(tx, viewer.id, staged)
    if (earlier) await removeMedia(tx, [earlier])
    return staged
  })

const adoptStagedAvatar = async (db: Db, viewer: Viewer) => {
  const { staged_avatar_media_id: staged, avatar_media_id: earlier } = await store.readAccount(db, viewer.id)
  if (!staged) return
  await store.changeUser(db, viewer.id, { avatar_media_id: staged, staged_avatar_media_id: null })
  if (earlier) await removeMedia(db, [earlier])
}

export const removeAvatar = (db: Db, viewer: Viewer) =>
  transact(db, async tx => {
    await store.lockUser(tx, viewer.id)
    const { avatar_media_id: avatar, staged_avatar_media_id: staged } = await store.readAccount(tx, viewer.id)
    if (avatar === null && staged === null) return
    await store.changeUser(tx, viewer.id, { avatar_media_id: null, staged_avatar_media_id: null })
    await removeMedia(
      tx,
      [avatar, staged].filter(id => id !== null),
    )
  })

export const muteNotifications = (db: Db, viewer: Viewer, muted: boolean) => store.setMuted(db, viewer.id, muted)

/** Changes the password and ends every other session. */
export const changePassword = async (
  db: Db,
  limits: RateLimits,
  viewer: Viewer,
  { current, next, keepsCalendar }: { current: string; next: string; keepsCalendar: boolean },
  language: Locale,
) => {
  await requirePassword(db, limits, viewer, current)
  const passwordHash = await hashPassword(next)
  await transact(db, tx => replacePassword(tx, viewer, { passwordHash, keepsCalendar }, language))
}
