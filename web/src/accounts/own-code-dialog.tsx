import { useMutation } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { CodeShown } from '../events/links/code-shown.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/layers/dialog.tsx'

/** The code that a guest without a password keeps: on a photo or on paper, it brings them back from any device. */
export const OwnCodeDialog = ({ onClose }: { onClose(): void }) => {
  const { t } = useWords()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (renew: boolean) => api.returns.keepOwnCode({ renew }),
  })
  useEffect(() => mutate(false), [mutate])
  const shown = data && { url: data.code_url, qr: data.code_qr, about: t('ownCode.keep') }
  return (
    <Dialog open onClose={onClose} title={t('ownCode.title')} about={t('ownCode.about')}>
      <div className="grid grid-cols-1 gap-3">
        <CodeShown shown={shown} error={error} again={() => mutate(false)} text={data?.code_text} />
        {data && (
          <Button
            look="bare"
            size="small"
            busy={isPending}
            icon={<RefreshCw className="size-4.5" />}
            onClick={() => mutate(true)}
          >
            {t('ownCode.renew')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}
