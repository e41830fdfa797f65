import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Target } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { BackLink } from './back-link.tsx'
import { IconButton } from './button.tsx'

type Props = { title: ReactNode; back?: Target; onBack?: () => void; actions?: ReactNode }

/** The bar at the top of a page: back, the title, and actions. */
export const PageHeader = ({ title, back, onBack, actions }: Props) => {
  const { t } = useWords()
  return (
    // The blur lies on an element below: a header with a filter would become the containing block of fixed elements
    // inside.
    <header className="safe-top sticky top-(--bar) z-20 border-b border-line before:absolute before:inset-0 before:-z-1 before:bg-paper/90 before:backdrop-blur">
      <div className="flex min-h-15 flex-wrap items-center justify-end gap-1 px-2">
        {back && <BackLink to={back} />}
        {onBack && (
          <IconButton label={t('common.back')} onClick={onBack}>
            <ArrowLeft className="rtl:-scale-x-100" />
          </IconButton>
        )}
        {title ? (
          <h1
            dir="auto"
            className={`flex-1 truncate font-display font-semibold ${back || onBack ? 'text-xl' : 'px-2 text-2xl'}`}
          >
            {title}
          </h1>
        ) : (
          <span className="flex-1" />
        )}
        {actions}
      </div>
    </header>
  )
}
