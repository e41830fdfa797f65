import { memo, useLayoutEffect, useRef, useState } from 'react'
import { nearDayOf, raised } from '../../app/date-format.ts'
import { session } from '../../app/session.ts'
import { useWords } from '../../app/words.ts'
import { MessageView } from '../message-view.tsx'
import { SeenFaces } from '../seen-faces.tsx'
import type { Missing } from './lazy-rows.ts'
import { type Row, same } from './rows.ts'
import { type Message, sequenceOf } from './window.ts'

export type RowProps = {
  missing: Missing
  unreadFrom: number | undefined
  /** The requested message. */
  lit: string | undefined
  onJump(id: string): void
  /** Undefined for read-only viewers. */
  onReply: ((message: Message) => void) | undefined
  onEdit(message: Message): void
}

type BlockProps = {
  rows: readonly Row[]
  /** The place of the first. */
  first: number
  /** Rows before the reader's start: nothing jumps when an engine learns their height. */
  above: boolean
  /** All its rows are rendered at once. */
  whole: boolean
  look: RowProps
}

/**
 * A group of rows observed together: hundreds of single observers take a slow phone a frame for each rendered row.
 * Engines skip layout and painting of distant blocks and remember their heights. Rows that are not rendered yet have a
 * placeholder of the usual height.
 */
export const Block = memo(
  ({ rows, first, above, whole, look }: BlockProps) => {
    const place = useRef<HTMLDivElement>(null)
    const [drawn, setDrawn] = useState(whole ? all : 0)
    if (whole && drawn < all) setDrawn(all)
    const lacks = drawn < all
    const { missing } = look
    useLayoutEffect(() => {
      const block = place.current
      if (!lacks || !block) return
      missing.set(block, () => setDrawn(before => (before + 1 < rows.length ? before + 1 : all)))
      return () => void missing.delete(block)
    }, [lacks, missing, rows.length])
    const height = `${rows.length * rowRem}rem`
    return (
      <div
        ref={place}
        data-first={first}
        className={above ? 'away' : ''}
        style={{ containIntrinsicBlockSize: `auto ${height}`, minHeight: lacks ? height : '' }}
      >
        {rows.slice(0, drawn).map(row => (
          <RowView key={row.message.id} row={row} {...look} />
        ))}
      </div>
    )
  },
  (before, now) =>
    before.first === now.first && before.whole === now.whole && before.look === now.look && same(before.rows, now.rows),
)

const all = Number.POSITIVE_INFINITY
/** The height of most rows. */
const rowRem = 4.25

/** One element each: the history finds a row by its number. */
const RowView = memo(({ row, unreadFrom, lit, onJump, onReply, onEdit }: Omit<RowProps, 'missing'> & { row: Row }) => {
  const { message, newDay, joins, readers } = row
  const mine = message.user.id === session.get()?.userId
  return (
    <div
      data-row={message.id}
      className={`px-3 lg:px-6 ${joins ? 'pt-1' : 'pt-3'} ${message.id === lit ? 'animate-lit' : ''}`}
    >
      {newDay && <Divider>{raised(nearDayOf(message.created_at))}</Divider>}
      {unreadFrom === sequenceOf(message) && !mine && <UnreadDivider />}
      <MessageView message={message} mine={mine} joins={joins} {...{ onJump, onReply, onEdit }} />
      {readers.length > 0 && <SeenFaces readers={readers} />}
    </div>
  )
})

const UnreadDivider = () => <Divider strong>{useWords().t('chat.unreadFrom')}</Divider>

const Divider = ({ children, strong = false }: { children: string; strong?: boolean }) => (
  <div className="flex items-center gap-3 py-3">
    <span className={`h-px flex-1 ${strong ? 'bg-ember' : 'bg-line'}`} />
    <span className={`text-xs font-semibold ${strong ? 'text-ember' : 'text-soft'}`}>{children}</span>
    <span className={`h-px flex-1 ${strong ? 'bg-ember' : 'bg-line'}`} />
  </div>
)
