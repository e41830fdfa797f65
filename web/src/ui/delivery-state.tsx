import { CircleAlert, Clock3 } from 'lucide-react'
import { useWords } from '../app/words.ts'
import { Button } from './button.tsx'

/** Marks a text that has not arrived yet. */
export const PendingState = ({ className }: { className: string }) => {
  const { t } = useWords()
  return (
    <p className={`flex items-center gap-1 ${className}`}>
      <Clock3 className="size-[1.1em]" />
      {t('chat.sending')}
    </p>
  )
}

type Refused = { why: string; sendAgain(): void; discard(): void; className?: string }

/** Marks a refused text: the reason, and its author's options. */
export const Refused = ({ why, sendAgain, discard, className = '' }: Refused) => {
  const { t } = useWords()
  return (
    <div role="alert" className={`flex flex-wrap items-center gap-1 text-sm text-bad ${className}`}>
      <CircleAlert className="size-4" />
      {why}
      <Button look="bare" size="small" onClick={sendAgain}>
        {t('common.tryAgain')}
      </Button>
      <Button look="bare" size="small" onClick={discard}>
        {t('chat.discard')}
      </Button>
    </div>
  )
}
