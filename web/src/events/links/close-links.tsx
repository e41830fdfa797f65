import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { proveOrSay } from '../../ui/prove-first.ts'
import { linksQuery } from './links-queries.ts'

/** Closes every link of an event at once. */
export const CloseLinks = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const close = useMutation({
    mutationFn: () => api.links.revokeLinks({ event_id: eventId }),
    onError: error => proveOrSay(error, () => close.mutate()),
    onSettled: () => client.invalidateQueries({ queryKey: linksQuery(eventId).queryKey }),
  })
  return (
    <>
      <Button
        look="quiet"
        className="justify-self-start text-bad"
        busy={close.isPending}
        onClick={() => setAsking(true)}
      >
        {t('links.closeAll')}
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('links.closeAllTitle')}
        about={t('links.closeAllAbout')}
        act={t('links.closeAll')}
        onAct={() => close.mutate()}
      />
    </>
  )
}
