import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { EventLink } from './links-queries.ts'

/** Sheets to hang up or lay out, and `cards`: four for the tables on a sheet of A4, to be cut. */
export const papers = ['a4', 'a5', 'a6', 'cards'] as const
export type Paper = (typeof papers)[number]
export type Printed = { links: readonly EventLink[]; paper: Paper }

/** For as long as it is printed: the browser's own margins would cut into a small sheet. */
const sheet = new CSSStyleSheet()
document.adoptedStyleSheets.push(sheet)
/** In millimetres: a style sheet knows no A6 by its name. */
const sizes: Record<Paper, string> = { a4: '210mm 297mm', a5: '148mm 210mm', a6: '105mm 148mm', cards: '210mm 297mm' }
const cutTo = (paper: Paper) => sheet.replaceSync(`@page { size: ${sizes[paper]}; margin: 8mm; }`)

const none: Printed = { links: [], paper: 'a4' }

/** What stands on paper: the link that is asked for, or by the browser's own print every open one. */
export const usePrinting = (links: readonly EventLink[]) => {
  const [printed, setPrinted] = useState(none)
  useEffect(() => {
    const all = () =>
      flushSync(() =>
        setPrinted(asked =>
          asked.links.length > 0
            ? asked
            : { links: links.filter(({ link_status }) => link_status === 'open'), paper: 'a4' },
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
    // A picture that does not come leaves its place empty.
    await Promise.all([...pictures].map(picture => picture.decode().catch(() => {})))
    window.print()
  }
  return { printed, print }
}
