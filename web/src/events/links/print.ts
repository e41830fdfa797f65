import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import '../../app/nonce.ts'
import type { EventLink } from './links-queries.ts'
import { type Look, type Paper, papersHere } from './papers.ts'
import { phonesReach } from './unreachable.tsx'

export type Printed = { links: readonly EventLink[]; paper: Paper; look: Look }

/** While printing: the picture reaches the edge, and the browser writes no address and page number beside it. */
const pages = document.createElement('style')
pages.nonce = globalThis.__webpack_nonce__ ?? ''
document.head.append(pages)
const cutTo = ({ width, height }: Paper) => {
  pages.textContent = `@page { size: ${width}mm ${height}mm; margin: 0; }`
}

const none = (): Printed => ({ links: [], paper: papersHere()[0] as Paper, look: 'above' })

/** What is printed: the chosen link, or with the browser's own print every open one that phones reach. */
export const usePrinting = (links: readonly EventLink[]) => {
  const [printed, setPrinted] = useState(none)
  useEffect(() => {
    const all = () =>
      flushSync(() =>
        setPrinted(asked => {
          if (asked.links.length > 0) return asked
          const open = links.filter(
            ({ link_status, link_kind, link_url }) =>
              link_status === 'open' && link_kind !== 'screen' && phonesReach(link_url),
          )
          return { ...none(), links: open }
        }),
      )
    const clear = () => {
      pages.textContent = ''
      setPrinted(none)
    }
    window.addEventListener('beforeprint', all)
    window.addEventListener('afterprint', clear)
    return () => {
      window.removeEventListener('beforeprint', all)
      window.removeEventListener('afterprint', clear)
    }
  }, [links])
  const print = async (link: EventLink, paper: Paper, look: Look) => {
    cutTo(paper)
    flushSync(() => setPrinted({ links: [link], paper, look }))
    const pictures = document.querySelectorAll<HTMLImageElement>('.print-alone img')
    // A picture that does not load leaves its place empty.
    await Promise.all([...pictures].map(picture => picture.decode().catch(() => {})))
    window.print()
  }
  return { printed, print }
}
