import { createPortal } from 'react-dom'
import type { Event } from '../queries.ts'
import { LinkPaper } from './link-paper.tsx'
import type { Printed } from './print.ts'

/** Printable links, each on a page of its own: on paper they replace the page. */
export const LinkSheets = ({ printed: { links, paper, look }, event }: { printed: Printed; event: Event }) =>
  createPortal(
    links.map(link => (
      <div key={link.id} className="print-alone hidden h-screen break-inside-avoid overflow-hidden print:block">
        <LinkPaper {...{ link, event, paper, look }} />
      </div>
    )),
    document.body,
  )
