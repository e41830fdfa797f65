import { useEffect, useState } from 'react'

/** A picture's colours, from its 25-byte hash, in its place until it has arrived. */
export const Blurred = ({ thumbhash }: { thumbhash: string | undefined }) => {
  const [src, setSrc] = useState<string | undefined>(() => thumbhash && known.get(thumbhash))
  useEffect(() => {
    let gone = false
    if (thumbhash && !src) void colours(thumbhash).then(found => !gone && setSrc(found))
    return () => {
      gone = true
    }
  }, [thumbhash, src])
  return src ? <img src={src} alt="" className="absolute inset-0 size-full object-cover" /> : null
}

/** Those of the last pictures: a tile that is scrolled back into view need not work them out again. */
const known = new Map<string, string>()
const knownMax = 500

/** The code that reads such a hash comes after the page is drawn. */
const colours = async (thumbhash: string): Promise<string | undefined> => {
  const ready = known.get(thumbhash)
  if (ready) return ready
  try {
    const { thumbHashToDataURL } = await import('thumbhash')
    const made = thumbHashToDataURL(Uint8Array.from(atob(thumbhash), character => character.charCodeAt(0)))
    if (known.size >= knownMax) known.clear()
    known.set(thumbhash, made)
    return made
  } catch {
    // No hash, or no network: the place stays plain.
    return undefined
  }
}
