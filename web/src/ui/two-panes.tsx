import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A list with what was chosen from it beside; on a phone one of the two. */
export const TwoPanes = ({ list, chosen }: { list: ReactNode; chosen: boolean }) => (
  <div className="lg:grid lg:h-dvh lg:grid-cols-[minmax(20rem,26rem)_1fr]">
    <div className={`scroll-thin border-line lg:overflow-y-auto lg:border-e ${chosen ? 'max-lg:hidden' : ''}`}>
      {list}
    </div>
    <div className={`scroll-thin lg:relative lg:overflow-y-auto ${chosen ? '' : 'max-lg:hidden'}`}>
      <Outlet />
    </div>
  </div>
)
