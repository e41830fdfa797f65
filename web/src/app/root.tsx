import { Outlet } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { reporting } from '../people/reporting.ts'
import { toasts } from '../ui/toasts.ts'
import { whenIdle } from './idle.ts'
import { useStore } from './store.ts'

const Toaster = lazy(() => import('../ui/toast.tsx').then(({ Toaster }) => ({ default: Toaster })))
const ReportDialog = lazy(() =>
  import('../people/report-dialog.tsx').then(module => ({ default: module.ReportDialog })),
)
/** After the page itself, which it must not slow; a page without it still works. */
const Installed = lazy(async (): Promise<{ default: ComponentType<{ arrivedBy: string }> }> => {
  await whenIdle()
  const arrived = await import('../installed/installed.tsx').catch(() => undefined)
  return { default: arrived?.Installed ?? (() => null) }
})

/** Taken before the page that is opened changes its address. */
const arrivedBy = location.hash

/** Around every page. */
export const Root = () => {
  const said = useStore(toasts)
  const reported = useStore(reporting)
  return (
    <>
      <title>Afterglow</title>
      <Outlet />
      <Suspense>
        <Installed arrivedBy={arrivedBy} />
      </Suspense>
      <Suspense>{reported && <ReportDialog target={reported} />}</Suspense>
      <Suspense>{said.length > 0 && <Toaster />}</Suspense>
    </>
  )
}
