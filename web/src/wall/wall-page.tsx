import { later } from '../app/later.tsx'

/** The screen at the venue. Black until its code is there, as it is between photos. */
export const WallPage = later(
  () => import('./wall-screen.tsx').then(({ WallScreen }) => WallScreen),
  <div className="fixed inset-0 z-50 bg-black" />,
)
