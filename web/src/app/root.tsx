import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { toasts } from '../ui/toasts.ts'
import { useStore } from './store.ts'

const Toaster = lazy(() => import('../ui/toast.tsx').then(({ Toaster }) => ({ default: Toaster })))

/** Around every page. */
export const Root = () => {
  const said = useStore(toasts)
  return (
    <>
      <title>Afterglow</title>
      <Outlet />
      <Suspense>{said.length > 0 && <Toaster />}</Suspense>
    </>
  )
}
