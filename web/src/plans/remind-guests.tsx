import { useMutation } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { say } from '../ui/layers/toasts.ts'
import type { OwnAnswer } from './answer-act.ts'

/** How many have not answered, or not for the new date, and reminding them. */
export const RemindGuests = ({ own: { event_id, unanswered_count, unconfirmed_count } }: { own: OwnAnswer }) => {
  const { t } = useWords()
  const remind = useMutation({
    mutationFn: () => api.plans.remindGuests({ event_id }),
    onSuccess: ({ reminded_count }) => say(t('answer.reminded', { count: reminded_count })),
    onError: sayFailure,
  })
  if (unanswered_count + unconfirmed_count === 0) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
      {unanswered_count > 0 && <span>{t('answer.unanswered', { count: unanswered_count })}</span>}
      {unconfirmed_count > 0 && <span>{t('answer.unconfirmed', { count: unconfirmed_count })}</span>}
      <Button
        look="quiet"
        size="small"
        busy={remind.isPending}
        disabled={remind.isSuccess}
        icon={<BellRing className="size-4.5" />}
        onClick={() => remind.mutate()}
      >
        {t('answer.remind')}
      </Button>
    </p>
  )
}
