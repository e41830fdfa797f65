import { useWords } from '../app/words.ts'

/** A placeholder for something that is loading. */
export const Skeleton = ({ className = '' }: { className?: string }) => (
  <div
    aria-hidden="true"
    className={`animate-breathe bg-sunken ${className.includes('rounded-') ? '' : 'rounded-xl'} ${className}`}
  />
)

/** Placeholder rows while a list is loading. */
export const SkeletonRows = ({ rows = 6, picture = 'size-12 rounded-full' }: { rows?: number; picture?: string }) => {
  const { t } = useWords()
  return (
    <div role="status" className="grid gap-1">
      <span className="sr-only">{t('common.loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows without content have nothing else.
        <div key={row} className="flex items-center gap-3 p-3">
          <Skeleton className={picture} />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-3.5 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  )
}
