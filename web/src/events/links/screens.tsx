import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ago } from '../../app/date-format.ts'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { sayFailure } from '../../ui/failure.ts'
import { say } from '../../ui/layers/toasts.ts'
import { type EventLink, screensQuery } from './links-queries.ts'

/** The screens on which a link is open, each of which can be ended alone. */
export const Screens = ({ link }: { link: EventLink }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const { queryKey } = screensQuery(link.event_id)
  const { data } = useQuery(screensQuery(link.event_id))
  const end = useMutation({
    mutationFn: (screen_id: number) => api.links.endScreen({ screen_id }),
    onSuccess: () => say(t('links.screenEnded')),
    onError: sayFailure,
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  const screens = data?.filter(screen => screen.link_id === link.id) ?? []
  if (screens.length === 0) return null
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold text-soft">{t('links.screens')}</h3>
      {screens.map(({ id, screen_seen_at }) => (
        <p key={id} className="flex items-center gap-3">
          <span className="min-w-0 flex-1">{t('links.screenSeen', { when: ago(screen_seen_at) })}</span>
          <Button look="quiet" size="small" busy={end.isPending} onClick={() => end.mutate(id)}>
            {t('links.screenEnd')}
          </Button>
        </p>
      ))}
    </section>
  )
}
