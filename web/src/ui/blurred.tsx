import { useEffect, useState } from 'react'

/** A picture's colours, from its 25-byte hash, in its place until it has arrived. */
export const Blurred = ({ thumbhash }: { thumbhash: string | undefined }) => {
  const [read, setRead] = useState(() => reading)
  useEffect(() => {
    let gone = false
    if (!read)
      reader().then(
        found => !gone && setRead(() => found),
        // No network: the place stays plain.
        () => {},
      )
    return () => {
      gone = true
    }
  }, [read])
  const src = thumbhash && read && colours(thumbhash, read)
  return src ? <img src={src} alt="" className="absolute inset-0 size-full object-cover" /> : null
}

type Read = (hash: Uint8Array) => string

/** The code that reads such a hash comes after the page is drawn; whatever is drawn later has it at once. */
let reading: Read | undefined
const reader = async (): Promise<Read> => {
  reading ??= (await import('thumbhash')).thumbHashToDataURL
  return reading
}

/** Those of the last pictures: a tile that is scrolled back into view need not work them out again. */
const known = new Map<string, string | undefined>()
const knownMax = 500

const colours = (thumbhash: string, read: Read): string | undefined => {
  if (known.has(thumbhash)) return known.get(thumbhash)
  if (known.size >= knownMax) known.clear()
  known.set(thumbhash, made(thumbhash, read))
  return known.get(thumbhash)
}

const made = (thumbhash: string, read: Read): string | undefined => {
  try {
    return read(Uint8Array.from(atob(thumbhash), character => character.charCodeAt(0)))
  } catch {
    // No hash: the place stays plain.
    return undefined
  }
}
