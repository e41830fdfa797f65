import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { EventLink } from './links-queries.ts'

/** What stands on paper: the link that is asked for, or by the browser's own print every open one. */
export const usePrinting = (links: readonly EventLink[]) => {
  const [printed, setPrinted] = useState<readonly EventLink[]>([])
  useEffect(() => {
    const all = () =>
      flushSync(() =>
        setPrinted(asked => (asked.length > 0 ? asked : links.filter(({ link_status }) => link_status === 'open'))),
      )
    const none = () => setPrinted([])
    window.addEventListener('beforeprint', all)
    window.addEventListener('afterprint', none)
    return () => {
      window.removeEventListener('beforeprint', all)
      window.removeEventListener('afterprint', none)
    }
  }, [links])
  const print = (link: EventLink) => {
    flushSync(() => setPrinted([link]))
    window.print()
  }
  return { printed, print }
}
