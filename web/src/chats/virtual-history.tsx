import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { useWords } from '../app/words.ts'
import { useTakingPlace } from './history-handover.ts'
import type { Chat } from './queries.ts'
import { keyOf, type Row } from './rows.ts'
import type { Start, StillControl } from './still-history.tsx'
import { firstOf, type Window } from './window.ts'

type Props = {
  ref: RefObject<VirtuosoHandle | null>
  /** Whose place it takes. */
  still: RefObject<StillControl | null>
  start: Start
  rows: Row[]
  row(row: Row): ReactNode
  chat: Chat
  shown: Window
  /** Down to which message it is seen. */
  seeing(sequence: number): void
  onAtBottom(at: boolean): void
  /** It stands where the still one stood, which may go. */
  onTaken(): void
}

const aheadMax = 600
const aheadStep = 100

/** Pixels that are drawn beyond the screen: at first none, then a row or two whenever the page has time for them. */
const useAhead = () => {
  const [ahead, setAhead] = useState(0)
  useEffect(() => {
    if (ahead >= aheadMax) return
    const timer = setTimeout(() => setAhead(ahead + aheadStep), 50)
    return () => clearTimeout(timer)
  }, [ahead])
  return ahead
}

/** The history as it scrolls, of which only what is near to the screen is there. */
export const MovingHistory = ({ ref, still, start, rows, row, chat, shown, seeing, onAtBottom, onTaken }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const ahead = useAhead()
  const takePlace = useTakingPlace(ref, still, start, onTaken)
  const loadMore = async (which: 'loadOlder' | 'loadNewer') => {
    try {
      const loading = await import('./history-pages.ts')
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
      increaseViewportBy={ahead}
      rangeChanged={({ endIndex }) => {
        takePlace()
        seeing(endIndex)
      }}
      startReached={() => void loadMore('loadOlder')}
      endReached={() => void loadMore('loadNewer')}
      itemContent={(_, each) => row(each)}
    />
  )
}
