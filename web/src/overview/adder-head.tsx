import { useQuery } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import type { Event } from '../events/queries.ts'

/** Above the photos of somebody who only adds some: what for, and how many they may add. */
export const AdderHead = ({ event, added }: { event: Event; added: number | undefined }) => {
  const { t } = useWords()
  const { data } = useQuery({
    queryKey: ['allowance', event.id, null],
    queryFn: ({ signal }) => api.gallery.readAllowance({ event_id: event.id }, { signal }),
    staleTime: 0,
  })
  return (
    <header className="safe-top mx-auto grid max-w-3xl gap-2 px-4 pt-4 pb-2 text-center">
      <h1 className="font-display text-2xl font-semibold text-balance wrap-anywhere" dir="auto">
        {event.event_name}
      </h1>
      <p className="text-pretty text-soft">{t('links.whatDrop')}</p>
      {data && (
        <p className="text-sm text-soft">
          {t('gallery.allowance', { count: data.photos_max, added: Math.max(added ?? 0, data.photos_count) })}
        </p>
      )}
    </header>
  )
}
