import { useMutation } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useEffect } from 'react'
import { api } from '../app/client.ts'
import { timeOf } from '../app/moments.ts'
import { useWords } from '../app/words.ts'
import { phonesReach, Unreachable } from '../events/unreachable.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { reasonOf } from '../ui/failure.ts'
import { needsProof } from '../ui/prove-first.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { say } from '../ui/toasts.ts'
import { Prove } from './prove.tsx'

/** Shows the code with which another device signs in to this account. */
export const TransferDialog = ({ onClose }: { onClose(): void }) => {
  const { t } = useWords()
  const make = useMutation({ mutationFn: (_: 'transfer') => api.transfers.makeTransfer() })
  const { mutate, data: transfer, error } = make
  useEffect(() => mutate('transfer'), [mutate])
  const copy = (url: string) => void navigator.clipboard?.writeText(url).then(() => say(t('chat.copied')))
  if (needsProof(error)) return <Prove of={{ ...make, reset: onClose }} />
  return (
    <Dialog open onClose={onClose} title={t('transfer.title')} about={t('transfer.about')}>
      <div className="grid justify-items-center gap-4 text-center">
        {transfer && !phonesReach(transfer.transfer_url) ? (
          <Unreachable url={transfer.transfer_url} />
        ) : transfer ? (
          <>
            <img
              src={transfer.transfer_qr}
              alt={t('transfer.qr')}
              className="size-60 max-w-full rounded-2xl bg-white"
            />
            <p className="text-sm text-soft">{t('transfer.until', { time: timeOf(transfer.transfer_expires_at) })}</p>
            <Button
              look="quiet"
              icon={<Copy className="size-5" aria-hidden="true" />}
              onClick={() => copy(transfer.transfer_url)}
            >
              {t('links.copy')}
            </Button>
          </>
        ) : error ? (
          <>
            <p className="font-medium text-bad">{reasonOf(error)}</p>
            <Button look="soft" onClick={() => mutate('transfer')}>
              {t('common.tryAgain')}
            </Button>
          </>
        ) : (
          <Skeleton className="size-60 rounded-2xl" />
        )}
      </div>
    </Dialog>
  )
}
