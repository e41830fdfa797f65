import * as contract from '@afterglow/contract/accounts'
import type { RateLimits } from '../platform/http/limits.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve, ServeOpen } from '../platform/http/serve.ts'
import type { Media } from '../platform/media/records.ts'
import { claimAccount } from './guests.ts'
import type { Presence } from './presence.ts'
import { presentAccount, presentDevice } from './present.ts'
import * as profile from './profile.ts'
import * as sessions from './sessions.ts'
import { showSignedIn } from './showing.ts'
import { authenticate, demandConfigured, register, signInAgain } from './signing-in.ts'
import * as store from './store.ts'

const done = { done: true } as const

type DeviceFields = { device_id: string; user_timezone: string; user_device_platform: string }
const deviceOf = (input: DeviceFields) => ({
  deviceId: input.device_id,
  platform: input.user_device_platform,
  timezone: input.user_timezone,
})

export const accountRoutes = (
  serve: Serve,
  serveOpen: ServeOpen,
  { limits, media, presence }: { limits: RateLimits; media: Media; presence: Presence },
) => {
  serveOpen(
    contract.register,
    async ({ input, urls, once }) => {
      demandConfigured(input.user_login_option_type)
      return once(async db => {
        const registered = await register(db, {
          firstName: input.user_first_name,
          middleName: input.user_middle_name ?? null,
          lastName: input.user_last_name,
          username: input.user_username,
          email: input.user_email,
          password: input.user_password ?? '',
          identifier: input.user_login_option_unique_identifier,
          device: deviceOf(input),
        })
        return showSignedIn(db, registered, urls)
      })
    },
    {
      // The token is not kept: a repeat proves the password and signs the device in again.
      keep: answer => answer.user.id,
      replay: async ({ db, input, urls }, userId: number) =>
        showSignedIn(db, await signInAgain(db, userId, input.user_password ?? '', deviceOf(input)), urls),
    },
  )

  serveOpen(contract.authenticate, async ({ db, input, urls }) => {
    demandConfigured(input.user_login_option_type)
    const attempt = { loginId: input.user_login_id, password: input.user_password, device: deviceOf(input) }
    return showSignedIn(db, await authenticate(db, limits, attempt), urls)
  })

  serve(contract.readAccount, async ({ db, viewer, urls }) =>
    presentAccount(await store.readAccount(db, viewer.id), urls),
  )

  serve(contract.updateAccount, async ({ db, viewer, input, files, urls }) => {
    const file = files.profile_picture?.[0]
    const changes = {
      firstName: input.user_first_name,
      middleName: input.user_middle_name ?? null,
      lastName: input.user_last_name,
      email: input.user_email,
      username: input.user_username,
      visible: input.user_visible,
    }
    const kept = file && (await media.keep(file, 'profile_picture', 'avatar'))
    await profile.updateProfile(db, viewer, changes, { adopt: input.profile_picture_updated ?? false, kept })
    return presentAccount(await store.readAccount(db, viewer.id), urls)
  })

  serve(contract.logout, async ({ db, viewer, input }) => {
    await sessions.logOut(db, viewer, { allDevices: input.all_devices ?? false })
    await presence.disconnect(viewer.deviceRow)
    return done
  })

  serve(contract.refreshToken, async ({ db, viewer, urls }) =>
    showSignedIn(db, { userId: viewer.id, session: await sessions.refreshSession(db, viewer) }, urls),
  )

  serve(contract.stageAvatar, async ({ db, viewer, files, urls }) => {
    const [file] = files.profile_picture as [NonNullable<typeof files.profile_picture>[number]]
    const staged = await profile.stageAvatar(db, viewer, await media.keep(file, 'profile_picture', 'avatar'))
    return { user_avatar_url: urls.media(staged, 'display', 0) }
  })

  serve(contract.removeAvatar, async ({ db, viewer, urls }) => {
    await profile.removeAvatar(db, viewer)
    return presentAccount(await store.readAccount(db, viewer.id), urls)
  })

  serve(contract.updateSettings, async ({ db, viewer, input, urls }) => {
    await profile.muteNotifications(db, viewer, input.user_setting_mute_notification)
    return presentAccount(await store.readAccount(db, viewer.id), urls)
  })

  serve(contract.updatePassword, async ({ db, viewer, input }) => {
    await profile.changePassword(db, viewer, { current: input.current_password, next: input.user_password })
    return done
  })

  serve(contract.claimAccount, async ({ db, viewer, input, urls }) => {
    const claim = { email: input.user_email, username: input.user_username, password: input.user_password }
    await claimAccount(db, viewer, claim)
    return presentAccount(await store.readAccount(db, viewer.id), urls)
  })

  serve(contract.listDevices, async ({ db, viewer, input, page }) => {
    const rows = await store.listDevices(db, viewer.id, rangeOf(input))
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
