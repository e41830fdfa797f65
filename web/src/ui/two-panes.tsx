import type { ReactNode } from 'react'
import { Outlet } from '../app/router/router.tsx'
import { useWide } from './wide.ts'

/** A list with the selected item beside it; on a phone only one of the two, and the other loads nothing. */
export const TwoPanes = ({ list, chosen }: { list: ReactNode; chosen: boolean }) => {
  const wide = useWide()
  return (
    <div className="lg:grid lg:h-page lg:grid-cols-[minmax(20rem,26rem)_1fr]">
      <div
        className={`scroll-thin border-line lg:overflow-y-auto lg:border-e lg:[--bar:0px] ${chosen ? 'max-lg:hidden' : ''}`}
      >
        {(wide || !chosen) && list}
      </div>
      <div
        data-scrolls
        className={`scroll-thin lg:relative lg:overflow-y-auto lg:[--bar:0px] ${chosen ? '' : 'max-lg:hidden'}`}
      >
        <Outlet />
      </div>
    </div>
  )
}
