import { CloudOff } from 'lucide-react'
import { online } from './network.ts'
import { useStore } from './store.ts'
import { useWords } from './words.ts'

/** Says that the service is away, for as long as it is. What was seen stays readable meanwhile. */
export const NetworkBar = () => {
  const { t } = useWords()
  const reachable = useStore(online)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-17 z-40 flex justify-center lg:top-2 lg:ps-24"
    >
      {!reachable && (
        <span className="flex animate-rise items-center gap-2 rounded-full bg-ink px-4 py-1.5 text-sm font-medium text-paper shadow-float">
          <CloudOff className="size-4" aria-hidden="true" />
          {t('network.offline')}
        </span>
      )}
    </div>
  )
}
