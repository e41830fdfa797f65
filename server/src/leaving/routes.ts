import * as contract from '@afterglow/contract/leaving'
import { leaveAccount } from '../accounts/erasing.ts'
import type { Presence } from '../accounts/presence.ts'
import { rangeOf } from '../platform/http/pages.ts'
import type { Serve } from '../platform/http/serve.ts'
import { askForExport, exportFor } from './exporting.ts'
import { listExports } from './exports-store.ts'
import { presentExport } from './present.ts'

export const leavingRoutes = (serve: Serve, { presence }: { presence: Presence }) => {
  serve(contract.exportAccount, async ({ db, viewer, urls }) => presentExport(await askForExport(db, viewer), urls))

  serve(contract.listExports, async ({ db, viewer, input, urls, page }) =>
    page(await listExports(db, viewer.id, rangeOf(input)), row => presentExport(row, urls)),
  )

  serve(contract.readExport, async ({ db, viewer, input, urls }) =>
    presentExport(await exportFor(db, viewer, input.account_export_id), urls),
  )

  serve(contract.deleteAccount, async ({ db, viewer, input }) => {
    const erasesContent = input.erase_content ?? false
    const eraseAt = await leaveAccount(db, viewer, { password: input.user_password, erasesContent })
    await presence.disconnect(viewer.deviceRow)
    return { erased_after: eraseAt.toISOString() }
  })
}
