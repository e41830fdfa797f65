import { whenIdle } from '../app/idle.ts'
import { lazy, overlay } from '../app/router/lazy.tsx'
import { Outlet } from '../app/router/router.tsx'
import { useStore } from '../app/store.ts'
import { inviting } from '../events/invite/inviting.ts'
import { reporting } from '../people/report-target.ts'
import { toasts } from '../ui/layers/toasts.ts'
import { proving } from '../ui/prove-first.ts'

const Toaster = lazy(() => import('../ui/layers/toast.tsx').then(({ Toaster }) => Toaster), null, null)
const ReportDialog = overlay(() => import('../people/report-dialog.tsx').then(({ ReportDialog }) => ReportDialog))
const InviteSheet = overlay(() => import('../events/invite/invite-sheet.tsx').then(({ InviteSheet }) => InviteSheet))
const ProofDialog = overlay(() => import('../accounts/proof-dialog.tsx').then(({ ProofDialog }) => ProofDialog))
/** Loaded after the page itself, which it must not slow down; a page without it still works. */
const Installed = lazy(
  async () => {
    await whenIdle()
    return (await import('../installed/installed.tsx')).Installed
  },
  null,
  null,
)

/** Read before the opened page changes its address. */
const arrivedBy = location.hash

export const Root = () => {
  const said = useStore(toasts)
  const reported = useStore(reporting)
  const invited = useStore(inviting)
  const waiting = useStore(proving)
  return (
    <>
      <title>Afterglow</title>
      <Installed arrivedBy={arrivedBy} />
      <Outlet />
      {reported && <ReportDialog target={reported} onClose={() => reporting.set(undefined)} />}
      {invited && <InviteSheet {...invited} onClose={() => inviting.set(undefined)} />}
      {waiting && (
        <ProofDialog
          onProven={() => {
            proving.set(undefined)
            waiting.again()
          }}
          onClose={() => proving.set(undefined)}
        />
      )}
      {/* A dialog hides the page behind it from screen readers, except what is live: notices stay readable above it. */}
      <div aria-live="off">{said.length > 0 && <Toaster />}</div>
    </>
  )
}
