import * as contract from '@afterglow/contract/accounts/sessions'
import { ownAccount } from '@afterglow/contract/accounts/user'
import type { RateLimits } from '../../platform/http/limits.ts'
import { rangeOf } from '../../platform/http/pages.ts'
import type { Serve, ServeOpen } from '../../platform/http/serve.ts'
import { deviceOf } from '../account-fields.ts'
import { personsById } from '../persons-sql.ts'
import { presentDevice } from '../present.ts'
import type { AccountReplies } from '../present-replies.ts'
import type { Identities } from '../providers/identities.ts'
import type { Presence } from './presence.ts'
import * as sessions from './sessions.ts'
import { listDevices } from './sessions-store.ts'
import { authenticate, authenticateBy } from './sign-in.ts'

const done = { done: true } as const

type Tools = { limits: RateLimits; presence: Presence; identities: Identities; answers: AccountReplies }

export const sessionRoutes = (serve: Serve, serveOpen: ServeOpen, { limits, presence, identities, answers }: Tools) => {
  serveOpen(contract.authenticate, async ({ db, input, urls, network, turn, languageAsked }) => {
    const { user_login_option_type: type, user_login_id: loginId, user_password: password } = input
    const device = deviceOf(input, languageAsked)
    const signedIn =
      type === ownAccount
        ? await authenticate(db, limits, { loginId, password, device, network, turn: turn() })
        : await authenticateBy(db, { limits, identities }, { type, identifier: loginId, idToken: password }, device)
    return answers.signedIn(db, signedIn, urls)
  })

  serve(contract.logout, async ({ db, viewer, input }) => {
    const { all_devices: allDevices = false, keep_calendar: keepsCalendar = false } = input
    await sessions.logOut(db, viewer, { allDevices, keepsCalendar })
    await presence.disconnect(viewer.deviceRow)
    return done
  })

  serve(contract.refreshToken, async ({ db, viewer, urls }) =>
    answers.signedIn(db, { userId: viewer.id, session: await sessions.refreshSession(db, viewer) }, urls),
  )

  serve(contract.listDevices, async ({ db, viewer, input, urls, page }) => {
    const rows = await listDevices(db, viewer.id, rangeOf(input))
    const active = await presence.activeOf(rows.map(row => row.id))
    const letIn = await personsById(
      db,
      rows.flatMap(row => row.let_in_by ?? []),
    )
    return page(rows, row =>
      presentDevice(row, { viewer, active: active.has(row.id), letInBy: letIn.get(row.let_in_by ?? 0) }, urls),
    )
  })

  serve(contract.disownLetIns, async ({ db, viewer }) => {
    await sessions.disownLetIns(db, viewer)
    return done
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
