import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { briefly, timeOf } from '../../app/date-format.ts'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { nameOf } from '../../people/names.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import type { Event, Guest } from '../queries.ts'
import { CodeShown } from './code-shown.tsx'

type Props = { event: Event; guest: Pick<Guest, 'user'>; onClose(): void }

/** A code by which a guest without a password comes in again, on whatever they have in their hand now. */
export const LetInDialog = ({ event, guest, onClose }: Props) => {
  const { t } = useWords()
  const { mutate, data, error } = useMutation({
    mutationFn: (user_id: number) => api.returns.letInAgain({ event_id: event.id, user_id }),
  })
  const { id } = guest.user
  useEffect(() => mutate(id), [mutate, id])
  const name = nameOf(guest.user)
  const expires = data?.transfer_expires_at
  const shown = data && {
    url: data.transfer_url,
    qr: data.transfer_qr,
    about: t('transfer.until', { time: expires ? `${briefly(expires)}, ${timeOf(expires)}` : '' }),
  }
  return (
    <Dialog open onClose={onClose} title={t('returns.letInTitle', { name })} about={t('returns.letInAbout', { name })}>
      <CodeShown shown={shown} error={error} again={() => mutate(id)} />
    </Dialog>
  )
}
