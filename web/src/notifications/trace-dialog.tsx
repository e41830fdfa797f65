import { useQuery } from '@tanstack/react-query'
import { nearDayOf, timeOf } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { platformOf } from '../app/platforms.ts'
import { deviceId } from '../app/session.ts'
import { useWords } from '../app/words.ts'
import { Failed } from '../ui/failed.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Why somebody got a notification, and how it was delivered to each of their devices. */
export const TraceDialog = ({ id, onClose }: { id: number; onClose(): void }) => {
  const { t } = useWords()
  const trace = useQuery({
    queryKey: ['trace', id],
    queryFn: () => api.notifications.traceNotification({ notification_id: id }),
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <Dialog open onClose={onClose} title={t('trace.why')}>
      {trace.isPending && <Skeleton className="h-28" />}
      {trace.isError && <Failed error={trace.error} retry={() => void trace.refetch()} />}
      {trace.data && (
        <div className="grid gap-4">
          <p dir="auto">{trace.data.reason}</p>
          <ul className="grid grid-cols-1 gap-2">
            {trace.data.deliveries.map(delivery => (
              <li
                key={`${delivery.device_id} ${delivery.way} ${delivery.created_at}`}
                className="rounded-2xl bg-sunken p-4"
              >
                <p className="font-semibold">
                  {delivery.device_id === deviceId() ? t('devices.this') : platformOf(delivery.user_device_platform)} ·{' '}
                  {t(`trace.way.${delivery.way}`)}
                  {delivery.way !== 'none' && ` · ${t(`trace.state.${delivery.state}`)}`}
                </p>
                <p className="text-sm text-soft" dir="auto">
                  {delivery.reason}
                </p>
                <time dateTime={delivery.updated_at} className="text-xs text-soft">
                  {nearDayOf(delivery.updated_at)}, {timeOf(delivery.updated_at)}
                </time>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  )
}
