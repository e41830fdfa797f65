import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarPlus, Trash2 } from 'lucide-react'
import { ago } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { proveOrSay } from '../ui/prove-first.ts'
import { Section } from '../ui/section.tsx'

const key = ['calendar-feed'] as const

/** All of one's events in one's own calendar, under an address that only they know. */
export const CalendarSection = () => {
  const { t } = useWords()
  const { feed, show, make, end } = useCalendarFeed()
  if (!feed) return <div className="h-40" />
  const url = show.data?.calendar_feed_url ?? make.data?.calendar_feed_url
  return (
    <Section title={t('calendar.add')}>
      <div className="grid gap-3 py-4">
        {feed.created_at && (
          <p className="text-pretty text-soft">
            {t('calendar.secret')}{' '}
            {feed.last_used_at ? t('calendar.lastUsed', { when: ago(feed.last_used_at) }) : t('calendar.unused')}
          </p>
        )}
        {feed.created_at ? (
          <div className="flex flex-wrap gap-2">
            {url ? (
              <>
                <a href={url.replace(/^https?:/, 'webcal:')} className={buttonClass('soft', 'small')}>
                  <CalendarPlus className="size-4.5" />
                  {t('calendar.add')}
                </a>
                <CopyButton size="small" text={url}>
                  {t('links.copy')}
                </CopyButton>
              </>
            ) : (
              <Button look="soft" size="small" busy={show.isPending} onClick={() => show.mutate()}>
                {t('calendar.show')}
              </Button>
            )}
            <Button
              look="quiet"
              size="small"
              busy={end.isPending}
              icon={<Trash2 className="size-4.5" />}
              onClick={() => end.mutate()}
            >
              {t('calendar.end')}
            </Button>
          </div>
        ) : (
          <Button
            look="quiet"
            className="justify-self-start"
            busy={make.isPending}
            icon={<CalendarPlus className="size-5" />}
            onClick={() => make.mutate()}
          >
            {t('calendar.make')}
          </Button>
        )}
      </div>
    </Section>
  )
}

const useCalendarFeed = () => {
  const client = useQueryClient()
  const { data: feed } = useQuery({ queryKey: key, queryFn: () => api.plans.readCalendarFeed({}), staleTime: 0 })
  const show = useMutation({
    mutationFn: () => api.plans.readCalendarFeed({ show: true }),
    onError: error => proveOrSay(error, () => show.mutate()),
  })
  const make = useMutation({
    mutationFn: () => api.plans.makeCalendarFeed(),
    onSuccess: made => client.setQueryData(key, { ...made, calendar_feed_url: null }),
    onError: error => proveOrSay(error, () => make.mutate()),
  })
  const end = useMutation({
    mutationFn: () => api.plans.endCalendarFeed(),
    onSuccess: () => {
      show.reset()
      make.reset()
      return client.invalidateQueries({ queryKey: key })
    },
    onError: sayFailure,
  })
  return { feed, show, make, end }
}
