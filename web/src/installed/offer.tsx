import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'

type Props = {
  icon: LucideIcon
  title: string
  children?: ReactNode
  act: string
  onAct(): void
  onDismiss(): void
  busy?: boolean
}

/** A card that offers something and waits for an answer, over the page but not over the composer. */
export const Offer = ({ icon: Icon, title, children, act, onAct, onDismiss, busy = false }: Props) => {
  const { t } = useWords()
  return (
    <div
      role="status"
      className="fixed inset-x-3 top-18 z-40 mx-auto flex max-w-md animate-rise gap-3.5 rounded-3xl border border-line bg-card p-4 shadow-float lg:end-6 lg:start-auto lg:w-md"
    >
      <span className="grid size-11 shrink-0 place-items-center rounded-full bg-glow text-on-glow">
        <Icon className="size-5.5" strokeWidth={1.8} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-semibold text-balance">{title}</p>
        {children && <p className="mt-0.5 text-sm text-soft text-pretty">{children}</p>}
        <div className="mt-3 flex flex-wrap justify-end gap-2">
          <Button look="bare" size="small" onClick={onDismiss}>
            {t('installed.notNow')}
          </Button>
          <Button size="small" busy={busy} onClick={onAct}>
            {act}
          </Button>
        </div>
      </div>
    </div>
  )
}
