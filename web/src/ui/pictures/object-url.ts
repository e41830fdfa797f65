import { useEffect, useState } from 'react'

/** An address for what this browser has, as long as it is shown. */
export const useObjectUrl = (of: Blob) => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(of)
    setUrl(made)
    // Later, as an image that is still being read would be missing it.
    return () => void setTimeout(() => URL.revokeObjectURL(made), 9999)
  }, [of])
  return url
}
