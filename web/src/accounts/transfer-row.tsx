import { ChevronRight, QrCode } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../app/words.ts'
import { TransferDialog } from './transfer-dialog.tsx'

/** Under You: adding a second device. */
export const TransferRow = ({ className }: { className: string }) => {
  const { t } = useWords()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={`${className} w-[calc(100%+2rem)] text-start`} onClick={() => setOpen(true)}>
        <QrCode className="size-5 text-soft" aria-hidden="true" />
        <span className="flex-1">{t('transfer.title')}</span>
        <ChevronRight className="size-5 text-soft rtl:-scale-x-100" aria-hidden="true" />
      </button>
      {open && <TransferDialog onClose={() => setOpen(false)} />}
    </>
  )
}
