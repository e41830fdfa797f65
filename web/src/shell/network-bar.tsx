import { CloudOff } from 'lucide-react'
import { online } from '../app/network.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'

/**
 * Says that the service is unreachable, for as long as it is: above the page, which makes room for it (`--bar` in
 * style.css).
 */
export const NetworkBar = () => {
  const { t } = useWords()
  const reachable = useStore(online)
  return (
    <div role="status" data-bar={!reachable || undefined} className="sticky top-0 z-40">
      {!reachable && (
        <p className="flex h-(--bar) items-center justify-center gap-2 overflow-hidden bg-ink px-4 text-center text-sm leading-tight font-medium text-paper">
          <CloudOff className="size-4 shrink-0" aria-hidden="true" />
          {t('network.offline')}
        </p>
      )}
    </div>
  )
}
