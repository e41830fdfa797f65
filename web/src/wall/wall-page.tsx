import { lazy } from '../app/router/lazy.tsx'

/** The screen at the venue. Black until its code has loaded, as it is between photos. */
export const WallPage = lazy(
  () => import('./wall-screen.tsx').then(({ WallScreen }) => WallScreen),
  <div className="fixed inset-0 z-50 bg-black" />,
)
