import { useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 64rem)')

const follow = (listener: () => void) => {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** True if two panes fit side by side: where styles begin with `lg:`. */
export const useWide = (): boolean => useSyncExternalStore(follow, () => wide.matches)
