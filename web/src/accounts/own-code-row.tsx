import { ChevronRight, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../app/words.ts'
import { OwnCodeDialog } from './own-code-dialog.tsx'

/** Under You: the code that brings a guest without a password back. */
export const OwnCodeRow = ({ className }: { className: string }) => {
  const { t } = useWords()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={`${className} w-[calc(100%+2rem)] text-start`} onClick={() => setOpen(true)}>
        <KeyRound className="size-5 text-soft" aria-hidden="true" />
        <span className="flex-1">{t('ownCode.title')}</span>
        <ChevronRight className="size-5 text-soft rtl:-scale-x-100" aria-hidden="true" />
      </button>
      {open && <OwnCodeDialog onClose={() => setOpen(false)} />}
    </>
  )
}
