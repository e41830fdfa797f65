import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { timeOf } from '../app/date-format.ts'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { CodeShown } from '../events/links/code-shown.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'
import { needsProof } from '../ui/prove-first.ts'
import { Prove } from './prove.tsx'

/** Shows the code with which another device signs in to this account. */
export const TransferDialog = ({ onClose }: { onClose(): void }) => {
  const { t } = useWords()
  const make = useMutation({ mutationFn: (_: 'transfer') => api.transfers.makeTransfer() })
  const { mutate, data, error } = make
  useEffect(() => mutate('transfer'), [mutate])
  if (needsProof(error)) return <Prove of={{ ...make, reset: onClose }} />
  const shown = data && {
    url: data.transfer_url,
    qr: data.transfer_qr,
    about: t('transfer.until', { time: timeOf(data.transfer_expires_at) }),
  }
  return (
    <Dialog open onClose={onClose} title={t('transfer.title')} about={t('transfer.about')}>
      <CodeShown shown={shown} error={error} again={() => mutate('transfer')} />
    </Dialog>
  )
}
