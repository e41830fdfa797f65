import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { ChoiceCard, ChoiceCards } from '../ui/choice-cards.tsx'
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

type Props = { eventId: number; organizes: boolean; onClose(): void }

/** Notification settings for an event; organizers can choose to hear of new photos immediately. */
export const EventLevelDialog = ({ eventId, organizes, onClose }: Props) => {
  const { t } = useWords()
  const { data, save } = useEventLevel(eventId)
  return (
    <Dialog open onClose={onClose} title={t('patience.event')}>
      {!data ? (
        <Skeleton className="h-40" />
      ) : (
        <div className="grid gap-4">
          <ChoiceCards legend={t('patience.event')} hideLegend>
            {levels.map(([level, title, about]) => (
              <ChoiceCard
                key={level}
                name="level"
                title={t(title)}
                about={t(about)}
                checked={data.level === level}
                onChange={() => save.mutate({ level })}
              />
            ))}
          </ChoiceCards>
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

const useEventLevel = (event_id: number) => {
  const { t } = useWords()
  const client = useQueryClient()
  const key = ['event-notification-settings', event_id]
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => api.notifications.readEventLevel({ event_id }),
  })
  const save = useMutation({
    mutationFn: (change: Partial<Settings>) => {
      const { level, muted_until, photos_at_once } = { ...(data as Settings), ...change }
      return api.notifications.saveEventLevel({
        event_id,
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
  return { data, save }
}
