import { useEffect, useState } from 'react'

/** The code in a mailed link: behind the #, so that no server's log has it, and taken out of the history at once. */
export const useMailedCode = (): string => {
  const [code] = useState(() => new URLSearchParams(location.hash.replace(/^#/, '')).get('code') ?? '')
  useEffect(() => {
    if (location.hash) history.replaceState(history.state, '', location.pathname)
  }, [])
  return code
}
