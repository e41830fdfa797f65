import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { chatKey, chatsKey } from '../chats/keys.ts'
import { chatQuery } from '../chats/queries.ts'
import type { Event } from '../events/queries.ts'
import { ChoiceCard, ChoiceCards } from '../ui/choice-cards.tsx'
import { sayFailure } from '../ui/failure.ts'
import { say } from '../ui/layers/toasts.ts'
import { MuteField } from '../ui/mute-field.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'

type Settings = Awaited<ReturnType<typeof api.notifications.readEventLevel>>

const levels = [
  ['everything', 'patience.everything', 'patience.everythingHint'],
  ['for_me', 'patience.forMe', 'patience.forMeHint'],
  ['nothing', 'patience.nothing', 'patience.nothingHint'],
] as const

/** What of one event rings; organizers can choose to hear of new photos immediately. */
export const EventSection = ({ event }: { event: Event }) => {
  const { t } = useWords()
  const { data, save } = useEventLevel(event.id)
  const chat = useQuery(chatQuery(event.group_chat_id)).data
  const mute = useChatMute(event.group_chat_id)
  if (!data) return <Skeleton className="h-40" />
  return (
    <Section title={<bdi>{event.event_name}</bdi>}>
      <div className="py-3">
        <ChoiceCards legend={t('settings.notifications')} hideLegend>
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
      </div>
      {chat && (
        <Switch
          label={t('patience.chat')}
          checked={mute.isPending ? !mute.variables : !chat.extra.muted}
          onChange={on => mute.mutate(!on)}
        />
      )}
      {event.extra.may.manage && (
        <Switch
          label={t('patience.atOnce')}
          hint={t('patience.atOnceHint')}
          checked={data.photos_at_once}
          onChange={photos_at_once => save.mutate({ photos_at_once })}
        />
      )}
      <div className="py-3">
        <MuteField until={data.muted_until} onChange={muted_until => save.mutate({ muted_until })} />
      </div>
    </Section>
  )
}

const useChatMute = (group_chat_id: number) => {
  const { t } = useWords()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (muted: boolean) => (muted ? api.chats.muteChat : api.chats.unmuteChat)({ group_chat_id }),
    onSuccess: () => {
      say(t('patience.saved'))
      return Promise.all([chatKey(group_chat_id), chatsKey].map(queryKey => client.invalidateQueries({ queryKey })))
    },
    onError: sayFailure,
  })
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
