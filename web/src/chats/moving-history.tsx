import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { useWords } from '../app/words.ts'
import type { Chat } from './queries.ts'
import { keyOf, type Row } from './rows.ts'
import { useSeeing } from './seeing.ts'
import type { Start } from './still-history.tsx'
import { firstOf, type Window } from './window.ts'

type Props = {
  ref: Ref<VirtuosoHandle>
  start: Start
  rows: Row[]
  row(row: Row): ReactNode
  chat: Chat
  shown: Window
  onAtBottom(at: boolean): void
  /** The first rows are there, at their places. */
  onDrawn(): void
}

/** The history as it scrolls, of which only what is near to the screen is there. */
export const MovingHistory = ({ ref, start, rows, row, chat, shown, onAtBottom, onDrawn }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const seeing = useSeeing(chat, shown)
  const loadMore = async (which: 'loadOlder' | 'loadNewer') => {
    try {
      const loading = await import('./loading-more.ts')
      await loading[which](client, chat.id)
    } catch {
      // Asked for again by who scrolls on.
    }
  }
  return (
    <Virtuoso
      ref={ref}
      role="log"
      aria-label={t('chat.history')}
      className="scroll-thin h-full"
      data={rows}
      computeItemKey={(_, row) => keyOf(row)}
      firstItemIndex={Math.max(1, firstOf(shown))}
      initialTopMostItemIndex={start}
      alignToBottom
      atBottomThreshold={60}
      atBottomStateChange={onAtBottom}
      followOutput={bottom => (bottom && shown.atEnd ? 'auto' : false)}
      increaseViewportBy={{ top: 600, bottom: 600 }}
      rangeChanged={({ endIndex }) => {
        onDrawn()
        seeing(endIndex)
      }}
      startReached={() => void loadMore('loadOlder')}
      endReached={() => void loadMore('loadNewer')}
      itemContent={(_, each) => row(each)}
    />
  )
}
