import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { sayFailure } from '../ui/failure.ts'
import { Choice, Field } from '../ui/field.tsx'
import { say } from '../ui/layers/toasts.ts'
import { MuteField } from '../ui/mute-field.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'

type Settings = Awaited<ReturnType<typeof api.notifications.readNotificationSettings>>

const key = ['notification-settings'] as const
const choices = [0, 1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 60]
const night = { quiet_from: '22:00', quiet_until: '07:00' }

/** When notifications may ring: muted for a while, not at night, at most so often per hour. */
export const RingingSection = () => {
  const { t } = useWords()
  const { data, save } = useSettings()
  if (!data) return <Skeleton className="h-40" />
  const { muted_until, quiet_from, quiet_until, rings_per_hour, mails_digest } = data
  const quiet = quiet_from !== null && quiet_until !== null
  return (
    <Section title={t('patience.title')}>
      <p className="py-3 text-sm text-soft">{t('patience.about')}</p>
      <div className="py-3">
        <MuteField until={muted_until} onChange={until => save.mutate({ muted_until: until })} />
      </div>
      <Switch
        label={t('patience.quiet')}
        hint={t('patience.quietHint')}
        checked={quiet}
        onChange={on => save.mutate(on ? night : { quiet_from: null, quiet_until: null })}
      />
      {quiet && (
        <div className="grid grid-cols-2 gap-4 pb-3">
          <Field
            label={t('patience.from')}
            type="time"
            defaultValue={quiet_from}
            onBlur={event => event.target.value && save.mutate({ quiet_from: event.target.value })}
          />
          <Field
            label={t('patience.until')}
            type="time"
            defaultValue={quiet_until}
            onBlur={event => event.target.value && save.mutate({ quiet_until: event.target.value })}
          />
        </div>
      )}
      <div className="py-3">
        <Rings value={rings_per_hour} onChange={rings_per_hour => save.mutate({ rings_per_hour })} />
      </div>
      <Switch
        label={t('patience.digest')}
        hint={t('patience.digestHint')}
        checked={mails_digest}
        onChange={on => save.mutate({ mails_digest: on })}
      />
    </Section>
  )
}

const useSettings = () => {
  const { t } = useWords()
  const client = useQueryClient()
  const { data } = useQuery({ queryKey: key, queryFn: () => api.notifications.readNotificationSettings() })
  const save = useMutation({
    mutationFn: (change: Partial<Settings>) => {
      const { muted_until, quiet_from, quiet_until, rings_per_hour, mails_digest } = {
        ...(data as Settings),
        ...change,
      }
      return api.notifications.saveNotificationSettings({
        muted_until: muted_until ?? undefined,
        quiet_from: quiet_from ?? undefined,
        quiet_until: quiet_until ?? undefined,
        rings_per_hour,
        mails_digest,
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

/** How often per hour they may ring; another number, once chosen elsewhere, is added to the options. */
const Rings = ({ value, onChange }: { value: number; onChange(value: number): void }) => {
  const { t } = useWords()
  const rings = choices.includes(value) ? choices : [...choices, value].sort((a, b) => a - b)
  return (
    <Choice
      label={t('patience.rings')}
      hint={t('patience.ringsHint')}
      value={value}
      onChange={event => onChange(Number(event.target.value))}
    >
      {rings.map(each => (
        <option key={each} value={each}>
          {each === 0 ? t('patience.ringsNone') : each}
        </option>
      ))}
    </Choice>
  )
}
