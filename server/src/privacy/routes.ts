import * as contract from '@afterglow/contract/privacy'
import { leaveAccount } from '../accounts/account-deletion.ts'
import { provenLately, requireProof } from '../accounts/proofs.ts'
import type { Presence } from '../accounts/sessions/presence.ts'
import { setSeenShown, showsSeen } from '../chats/seen-marks.ts'
import type { RateLimits } from '../platform/http/limits.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import { askForExport, type ExportRoom, exportFor } from './exports.ts'
import { listExports } from './exports-store.ts'
import { presentExport } from './present.ts'

type Parts = { presence: Presence; limits: RateLimits; room: ExportRoom }

export const privacyRoutes = (serve: Serve, { presence, limits, room }: Parts) => {
  serve(contract.exportAccount, async ({ db, viewer, urls }) => {
    await requireProof(db, viewer)
    return presentExport(await askForExport(db, viewer, room), urls, { proven: true })
  })

  serve(contract.listExports, async ({ db, viewer, input, urls, page }) => {
    const proven = await provenLately(db, viewer)
    return page(await listExports(db, viewer.id, rangeOf(input)), row => presentExport(row, urls, { proven }))
  })

  serve(contract.readExport, async ({ db, viewer, input, urls }) =>
    presentExport(await exportFor(db, viewer, input.account_export_id), urls, {
      proven: await provenLately(db, viewer),
    }),
  )

  serve(contract.readSeenSettings, async ({ db, viewer }) => ({ seen_shown: await showsSeen(db, viewer.id) }))

  serve(contract.saveSeenSettings, async ({ db, viewer, input }) => {
    await setSeenShown(db, viewer, input.seen_shown)
    return { seen_shown: input.seen_shown }
  })

  serve(contract.deleteAccount, async ({ db, viewer, input }) => {
    const erasesContent = input.erase_content ?? false
    const eraseAt = await leaveAccount(db, limits, viewer, { password: input.user_password, erasesContent })
    await presence.disconnect(viewer.deviceRow)
    return { erased_after: eraseAt.toISOString() }
  })
}
