import { useEffect, useState } from 'react'

/** A URL for a local blob, as long as it is shown. */
export const useObjectUrl = (of: Blob) => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(of)
    setUrl(made)
    // Delayed, as an image that is still loading would lose it.
    return () => void setTimeout(() => URL.revokeObjectURL(made), 9999)
  }, [of])
  return url
}
