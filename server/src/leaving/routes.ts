import * as contract from '@afterglow/contract/leaving'
import { leaveAccount } from '../accounts/erasing.ts'
import type { Presence } from '../accounts/presence.ts'
import { demandProof, provenLately } from '../accounts/proofs.ts'
import type { RateLimits } from '../platform/http/limits.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import { askForExport, type ExportRoom, exportFor } from './exporting.ts'
import { listExports } from './exports-store.ts'
import { presentExport } from './present.ts'

type Parts = { presence: Presence; limits: RateLimits; room: ExportRoom }

export const leavingRoutes = (serve: Serve, { presence, limits, room }: Parts) => {
  serve(contract.exportAccount, async ({ db, viewer, urls }) => {
    await demandProof(db, viewer)
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

  serve(contract.deleteAccount, async ({ db, viewer, input }) => {
    const erasesContent = input.erase_content ?? false
    const eraseAt = await leaveAccount(db, limits, viewer, { password: input.user_password, erasesContent })
    await presence.disconnect(viewer.deviceRow)
    return { erased_after: eraseAt.toISOString() }
  })
}
