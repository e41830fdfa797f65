import { useMemo } from 'react'
import { thumbHashToDataURL } from 'thumbhash'

/** A picture's colours, from its 25-byte hash, in its place until it has arrived. */
export const Blurred = ({ thumbhash }: { thumbhash: string | undefined }) => {
  const src = useMemo(() => thumbhash && decoded(thumbhash), [thumbhash])
  return src ? <img src={src} alt="" className="absolute inset-0 size-full object-cover" /> : null
}

const decoded = (thumbhash: string) => {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), character => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}
