import { memo } from 'react'
import { later } from '../app/later.tsx'
import { nearDayOf, raised } from '../app/moments.ts'
import { session } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { MessageView } from './message-view.tsx'
import type { Row } from './rows.ts'
import { SeenFaces } from './seen-faces.tsx'
import { type Message, sequenceOf, type Window } from './window.ts'

const WaitingView = later(async () => (await import('./pending-message.tsx')).WaitingView, <div className="h-11" />)

type Props = {
  row: Row
  shown: Window
  unreadFrom: number | undefined
  lit: boolean
  onJump(id: string): void
  onReply(message: Message): void
  onEdit(message: Message): void
}

/** Drawn anew only when something of it is another: scrolling asks for every row at every step. */
export const RowView = memo(({ row, shown, unreadFrom, lit, onJump, onReply, onEdit }: Props) => {
  const { t } = useWords()
  if (row.kind === 'waiting') return <WaitingView waiting={row.waiting} />
  const { message, newDay, joins } = row
  const mine = message.user.id === session.get()?.userId
  return (
    <div data-row={message.id} className={`px-3 lg:px-6 ${joins ? 'pt-0.5' : 'pt-3'} ${lit ? 'animate-lit' : ''}`}>
      {newDay && <Divider>{raised(nearDayOf(message.created_at))}</Divider>}
      {unreadFrom === sequenceOf(message) && !mine && <Divider strong>{t('chat.unreadFrom')}</Divider>}
      <MessageView message={message} mine={mine} joins={joins} {...{ onJump, onReply, onEdit }} />
      <SeenFaces message={message} shown={shown} />
    </div>
  )
})

const Divider = ({ children, strong = false }: { children: string; strong?: boolean }) => (
  <div className="flex items-center gap-3 py-3">
    <span className={`h-px flex-1 ${strong ? 'bg-ember' : 'bg-line'}`} />
    <span className={`text-xs font-semibold ${strong ? 'text-ember' : 'text-soft'}`}>{children}</span>
    <span className={`h-px flex-1 ${strong ? 'bg-ember' : 'bg-line'}`} />
  </div>
)
