import { Clock, CloudOff } from 'lucide-react'
import { arrivals } from '../app/net/channel-listeners.ts'
import { online } from '../app/net/network.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { overdue } from './overdue.ts'

/**
 * Reports, for as long as it lasts, that the service is unreachable or, more quietly, that acts have not arrived or
 * updates come a little later: above the page, which makes room for it (`--bar` in style.css).
 */
export const NetworkBar = () => {
  const { t } = useWords()
  const reachable = useStore(online)
  const late = useStore(arrivals) === 'asking'
  const waits = useStore(overdue)
  const says = !reachable ? t('network.offline') : waits ? t('waits.overdue') : late ? t('network.late') : undefined
  const Icon = reachable ? Clock : CloudOff
  return (
    <div role="status" data-bar={says !== undefined || undefined} className="sticky top-0 z-40">
      {says && (
        <p
          className={`flex h-(--bar) items-center justify-center gap-2 overflow-hidden px-4 text-center text-sm leading-tight font-medium ${reachable ? 'border-b border-line bg-card text-soft' : 'bg-ink text-paper'}`}
        >
          <Icon className="size-4 shrink-0" aria-hidden="true" />
          {says}
        </p>
      )}
    </div>
  )
}
