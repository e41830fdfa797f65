import { useSyncExternalStore } from 'react'

/** Where styles begin with `lg:` and `xl:`. */
const widths = { lg: matchMedia('(min-width: 64rem)'), xl: matchMedia('(min-width: 80rem)') }

/** True if that much fits side by side. */
export const useWide = (from: keyof typeof widths = 'lg'): boolean =>
  useSyncExternalStore(
    listener => {
      widths[from].addEventListener('change', listener)
      return () => widths[from].removeEventListener('change', listener)
    },
    () => widths[from].matches,
  )
