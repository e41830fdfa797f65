import { ArrowDown } from 'lucide-react'
import { count } from '../../app/date-format.ts'
import { useWords } from '../../app/words.ts'

/** Shown away from the end, with the number of messages waiting there. */
export const LatestButton = ({ unread, onPress }: { unread: number; onPress(): void }) => {
  const { t } = useWords()
  return (
    <button
      type="button"
      onClick={onPress}
      className="absolute end-4 bottom-3 flex h-11 animate-rise items-center gap-2 rounded-full border border-line bg-card px-3 font-semibold text-ember shadow-float"
    >
      <ArrowDown className="size-5" />
      {unread > 0 && <span aria-hidden="true">{count(unread)}</span>}
      <span className="sr-only">{t('chat.toLatest')}</span>
    </button>
  )
}
