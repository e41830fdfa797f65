import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { EventLink } from './links-queries.ts'
import { phonesReach } from './unreachable.tsx'

/** Sheets to hang up or lay out, and `cards`: four table cards on a sheet of A4, to be cut. */
export const papers = ['a4', 'a5', 'a6', 'cards'] as const
export type Paper = (typeof papers)[number]
export type Printed = { links: readonly EventLink[]; paper: Paper }

/** While printing: the browser's own margins would cut into a small sheet. */
const sheet = new CSSStyleSheet()
document.adoptedStyleSheets.push(sheet)
/** In millimetres: CSS has no page size named A6. */
const sizes: Record<Paper, string> = { a4: '210mm 297mm', a5: '148mm 210mm', a6: '105mm 148mm', cards: '210mm 297mm' }
const cutTo = (paper: Paper) => sheet.replaceSync(`@page { size: ${sizes[paper]}; margin: 8mm; }`)

const none: Printed = { links: [], paper: 'a4' }

/** What is printed: the chosen link, or with the browser's own print every open one that phones reach. */
export const usePrinting = (links: readonly EventLink[]) => {
  const [printed, setPrinted] = useState(none)
  useEffect(() => {
    const all = () =>
      flushSync(() =>
        setPrinted(asked =>
          asked.links.length > 0
            ? asked
            : {
                links: links.filter(
                  ({ link_status, link_kind, link_url }) =>
                    link_status === 'open' && link_kind !== 'screen' && phonesReach(link_url),
                ),
                paper: 'a4',
              },
        ),
      )
    const clear = () => setPrinted(none)
    window.addEventListener('beforeprint', all)
    window.addEventListener('afterprint', clear)
    return () => {
      window.removeEventListener('beforeprint', all)
      window.removeEventListener('afterprint', clear)
    }
  }, [links])
  const print = async (link: EventLink, paper: Paper) => {
    cutTo(paper)
    flushSync(() => setPrinted({ links: [link], paper }))
    const pictures = document.querySelectorAll<HTMLImageElement>('.print-alone img')
    // A picture that does not load leaves its place empty.
    await Promise.all([...pictures].map(picture => picture.decode().catch(() => {})))
    window.print()
  }
  return { printed, print }
}
