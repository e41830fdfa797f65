import { useEffect, useState } from 'react'
import { pathHere } from '../../app/public-path.ts'
import { arrived, carriedTo } from '../../app/storage/mailed-hash.ts'

/**
 * The code from a mailed link: it follows the #, so that no server logs it, and is removed from the history at once.
 */
export const useMailedCode = (): string => {
  const [code] = useState(() => {
    const hash = (location.hash || carriedTo(pathHere())).replace(/^#/, '')
    return new URLSearchParams(hash).get('code') ?? ''
  })
  useEffect(() => {
    arrived()
    if (location.hash) history.replaceState(history.state, '', location.pathname)
  }, [])
  return code
}
