import { AlertDialog } from 'radix-ui'
import { useLayer } from '../../app/router/history.ts'
import { useWords } from '../../app/words.ts'
import { Button } from '../button.tsx'
import type { ConfirmProps } from './confirm.tsx'
import { useOpener } from './opener.ts'

const ConfirmSheet = ({ onClose, title, about, act, tone = 'danger', onAct }: ConfirmProps) => {
  const { t } = useWords()
  const giveBack = useOpener()
  useLayer(onClose)
  return (
    <AlertDialog.Root open onOpenChange={now => !now && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 animate-fade bg-veil" />
        <AlertDialog.Content
          onCloseAutoFocus={giveBack}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto grid max-h-dvh max-w-sm grid-cols-1 -translate-y-1/2 animate-fade gap-2 overflow-auto rounded-2xl bg-card p-6 shadow-float outline-none"
        >
          <AlertDialog.Title className="font-display text-xl font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="text-soft">{about}</AlertDialog.Description>
          <div className="mt-3 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button look="quiet">{t('common.cancel')}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button look={tone === 'plain' ? 'main' : 'danger'} onClick={onAct}>
                {act}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

export default ConfirmSheet
