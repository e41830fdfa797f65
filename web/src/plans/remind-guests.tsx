import { useMutation } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { say } from '../ui/layers/toasts.ts'

/** How many have not answered, and reminding them. */
export const RemindGuests = ({ eventId, count }: { eventId: number; count: number }) => {
  const { t } = useWords()
  const remind = useMutation({
    mutationFn: () => api.plans.remindGuests({ event_id: eventId }),
    onSuccess: ({ reminded_count }) => say(t('answer.reminded', { count: reminded_count })),
    onError: sayFailure,
  })
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm text-soft">
      {t('answer.unanswered', { count })}
      <Button
        look="quiet"
        size="small"
        busy={remind.isPending}
        disabled={remind.isSuccess}
        icon={<BellRing className="size-4.5" aria-hidden="true" />}
        onClick={() => remind.mutate()}
      >
        {t('answer.remind')}
      </Button>
    </p>
  )
}
