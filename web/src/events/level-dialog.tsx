import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { sayFailure } from '../ui/failure.ts'
import { Dialog } from '../ui/layers/dialog.tsx'
import { say } from '../ui/layers/toasts.ts'
import { MuteField } from '../ui/mute-field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'

type Settings = Awaited<ReturnType<typeof api.notifications.readEventLevel>>

const levels = [
  ['everything', 'patience.everything', 'patience.everythingHint'],
  ['for_me', 'patience.forMe', 'patience.forMeHint'],
  ['nothing', 'patience.nothing', 'patience.nothingHint'],
] as const

/** Notification settings for an event; organizers can choose to hear of new photos immediately. */
type Props = { eventId: number; organizes: boolean; onClose(): void }

export const EventLevelDialog = ({ eventId, organizes, onClose }: Props) => {
  const { t } = useWords()
  const client = useQueryClient()
  const key = ['event-notification-settings', eventId]
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => api.notifications.readEventLevel({ event_id: eventId }),
  })
  const save = useMutation({
    mutationFn: (change: Partial<Settings>) => {
      const { level, muted_until, photos_at_once } = { ...(data as Settings), ...change }
      return api.notifications.saveEventLevel({
        event_id: eventId,
        level,
        muted_until: muted_until ?? undefined,
        photos_at_once,
      })
    },
    onSuccess: saved => {
      client.setQueryData(key, saved)
      say(t('patience.saved'))
    },
    onError: sayFailure,
  })
  return (
    <Dialog open onClose={onClose} title={t('patience.event')}>
      {!data ? (
        <Skeleton className="h-40" />
      ) : (
        <div className="grid gap-4">
          <fieldset className="grid gap-1">
            <legend className="sr-only">{t('patience.event')}</legend>
            {levels.map(([level, name, hint]) => (
              <label key={level} className="flex min-h-12 items-start gap-3 rounded-2xl p-3 hover:bg-hover">
                <input
                  type="radio"
                  name="level"
                  className="mt-1 size-5 accent-ember"
                  checked={data.level === level}
                  onChange={() => save.mutate({ level })}
                />
                <span>
                  <span className="block font-semibold">{t(name)}</span>
                  <span className="block text-sm text-soft">{t(hint)}</span>
                </span>
              </label>
            ))}
          </fieldset>
          {organizes && (
            <Switch
              label={t('patience.atOnce')}
              hint={t('patience.atOnceHint')}
              checked={data.photos_at_once}
              onChange={photos_at_once => save.mutate({ photos_at_once })}
            />
          )}
          <MuteField until={data.muted_until} onChange={muted_until => save.mutate({ muted_until })} />
        </div>
      )}
    </Dialog>
  )
}
