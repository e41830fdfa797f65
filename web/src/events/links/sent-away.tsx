import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { timeOf } from '../../app/date-format.ts'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { sayFailure } from '../../ui/failure.ts'
import { reloadSentAway, type SentAway, sentAwayQuery } from './links-queries.ts'

/** Who was sent away within the last hour, for whichever organizer brings them back. */
export const SentAwayList = ({ eventId }: { eventId: number }) => {
  const { data } = useQuery(sentAwayQuery(eventId))
  const now = Date.now()
  return data
    ?.filter(({ away_undone, away_undo_until }) => !away_undone && Date.parse(away_undo_until) > now)
    .map(away => <Undoable key={away.id} away={away} />)
}

const Undoable = ({ away }: { away: SentAway }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const undo = useMutation({
    mutationFn: () => api.links.undoSentAway({ away_id: away.id }),
    onError: sayFailure,
    onSettled: () => reloadSentAway(client, away.event_id),
  })
  return (
    <section className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-2xl border border-line bg-card p-4">
      <p className="min-w-0 flex-1 basis-64 text-pretty">
        <b className="block">{t('links.awayDone', { count: away.away_people_count })}</b>
        <span className="text-sm text-soft">{t('links.awayUntil', { when: timeOf(away.away_undo_until) })}</span>
      </p>
      <Button look="soft" size="small" busy={undo.isPending} onClick={() => undo.mutate()}>
        {t('links.awayUndo')}
      </Button>
    </section>
  )
}
