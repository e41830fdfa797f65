import { ArrowLeft } from 'lucide-react'
import { goUp } from '../app/router/history.ts'
import { pathFrom } from '../app/router/link-address.ts'
import { isPlainClick, Link, type Target } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { iconButtonClass } from './button.tsx'

type Props = {
  to: Target
  /** Another page that the user may have come from. */
  or?: string
  className?: string
}

/** Goes back to the parent page: it undoes the step that led here, rather than adding another. */
export const BackLink = ({ to, or, className = '' }: Props) => {
  const { t } = useWords()
  return (
    <Link
      {...to}
      aria-label={t('common.back')}
      className={`${iconButtonClass} ${className}`}
      onClick={event => {
        const page = pathFrom(event.currentTarget.pathname)
        if (!isPlainClick(event)) return
        event.preventDefault()
        goUp(page, ...(or ? [or] : []))
      }}
    >
      <ArrowLeft className="rtl:-scale-x-100" />
    </Link>
  )
}
