import { ArrowUp, Check } from 'lucide-react'
import { useWords } from '../app/words.ts'
import { Spinner } from './spinner.tsx'

type Props = { edits: boolean; disabled: boolean; busy?: boolean; onSend(): void }

/** The send button next to a text field. */
export const SendButton = ({ edits, disabled, busy, onSend }: Props) => {
  const { t } = useWords()
  return (
    <button
      type="button"
      aria-label={edits ? t('common.save') : t('composer.send')}
      disabled={disabled}
      onClick={onSend}
      className="grid size-11 shrink-0 place-items-center rounded-full bg-ember text-on-ember shadow-card transition active:scale-95 disabled:bg-sunken disabled:text-soft disabled:shadow-none"
    >
      {busy ? <Spinner /> : edits ? <Check className="size-5.5" /> : <ArrowUp className="size-5.5" />}
    </button>
  )
}
