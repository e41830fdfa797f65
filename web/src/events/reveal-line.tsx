import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { useState } from 'react'
import { spanOf } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { sayFailure } from '../ui/failure.ts'
import { Confirm } from '../ui/layers/confirm.tsx'
import { say } from '../ui/layers/toasts.ts'
import { zoneOf } from './event-words.ts'
import { eventKey } from './keys.ts'
import type { Event } from './queries.ts'

/** Until everybody sees the photos: when that is, and for organizers a way to show them now. */
export const RevealLine = ({ event, className = '' }: { event: Event; className?: string }) => {
  const { t } = useWords()
  const [asking, setAsking] = useState(false)
  const reveal = useReveal(event.id)
  const { event_photos_shown: shown, event_reveals_at: at, may } = event.extra
  if (shown === 'at_once') return null
  return (
    <div className={`flex flex-wrap items-center justify-between gap-2 text-sm text-soft ${className}`}>
      <p className="flex items-center gap-2">
        <Hourglass className="size-4 shrink-0" aria-hidden="true" />
        {at ? t('reveal.at', { when: spanOf(at, null, zoneOf(event)) }) : t('reveal.sometime')}
      </p>
      {may.manage && (
        <Button look="soft" size="small" busy={reveal.isPending} onClick={() => setAsking(true)}>
          {t('reveal.now')}
        </Button>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('reveal.now')}
        about={t('reveal.nowAbout')}
        act={t('reveal.now')}
        onAct={() => reveal.mutate()}
      />
    </div>
  )
}

const useReveal = (event_id: number) => {
  const { t } = useWords()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api.gallery.revealPhotos({ event_id }),
    onSuccess: () => {
      say(t('reveal.done'))
      return client.invalidateQueries({ queryKey: eventKey(event_id) })
    },
    onError: sayFailure,
  })
}
