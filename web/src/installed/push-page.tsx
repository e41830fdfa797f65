import { useMutation, useQuery } from '@tanstack/react-query'
import { BellOff, BellRing, Send } from 'lucide-react'
import { useEffect } from 'react'
import { accountQuery } from '../accounts/queries.ts'
import { MuteSwitch } from '../accounts/settings/mute-switch.tsx'
import { api } from '../app/net/client.ts'
import { useSearch } from '../app/router/router.tsx'
import { session } from '../app/session.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { eventQuery } from '../events/queries.ts'
import { EventSection } from '../notifications/event-section.tsx'
import { RingingSection } from '../notifications/ringing-section.tsx'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { Intro } from '../ui/intro.tsx'
import { say, sayProblem } from '../ui/layers/toasts.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Section } from '../ui/section.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'
import { pushState, renewPush, turnPushOff, turnPushOn } from './push.ts'

const eventOf = ({ event }: Record<string, string>) => Number(event) || undefined

/** All that rings: of the event that the viewer comes from, on this device, and when. */
export const PushPage = () => {
  const { t } = useWords()
  const userId = useStore(session)?.userId
  const state = useStore(pushState)
  useEffect(() => {
    // The user may have unblocked pushes before coming back.
    const look = () => userId !== undefined && document.visibilityState === 'visible' && void renewPush(userId)
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [userId])
  const turn = useMutation({
    mutationFn: (on: boolean) => (on && userId !== undefined ? turnPushOn(userId) : turnPushOff()),
    onError: () => sayProblem(t('installed.pushFailed')),
  })
  const eventId = useSearch(eventOf)
  const { data: account } = useQuery(accountQuery)
  const { data: event } = useQuery({ ...eventQuery(eventId ?? 0), enabled: eventId !== undefined })
  const on = turn.isPending ? turn.variables : state === 'on'
  const hindered = state === 'blocked' || state === 'impossible'
  return (
    <>
      <title>{`${t('settings.notifications')} · Afterglow`}</title>
      <PageHeader
        title={t('settings.notifications')}
        back={eventId === undefined ? { to: '/settings' } : { to: '/events/:eventId', params: { eventId } }}
      />
      <div className="mx-auto grid grid-cols-1 max-w-2xl gap-6 px-4 py-6">
        {event && <EventSection event={event} />}
        <Intro icon={hindered ? BellOff : BellRing}>{t('installed.about')}</Intro>
        <Section title={t('installed.title')}>
          {state === undefined ? (
            <Skeleton className="my-3 h-10" />
          ) : (
            <Switch
              label={t('installed.switch')}
              hint={t(`installed.state.${state}`)}
              checked={on}
              disabled={hindered || turn.isPending}
              onChange={turn.mutate}
            />
          )}
          {account && <MuteSwitch account={account} />}
        </Section>
        {state === 'on' && <TestPush />}
        <RingingSection />
      </div>
    </>
  )
}

const TestPush = () => {
  const { t } = useWords()
  const test = useMutation({
    mutationFn: () => api.notifications.testDevice(),
    onSuccess: () => say(t('installed.tested')),
    onError: sayFailure,
  })
  return (
    <Button
      look="quiet"
      busy={test.isPending}
      icon={<Send className="size-5 rtl:-scale-x-100" />}
      onClick={() => test.mutate()}
    >
      {t('installed.test')}
    </Button>
  )
}
