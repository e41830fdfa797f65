import { CloudOff, type LucideIcon, Search, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { statusOf } from '../app/client.ts'
import { online } from '../app/network.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { Button } from './button.tsx'

type Props = {
  icon: LucideIcon
  title: string
  children?: ReactNode
  action?: ReactNode
  /** `h1` where the page has no other. */
  heading?: 'h1' | 'h2'
}

/** Fills a page or pane that has nothing else to show: what that means, and what can be done. */
export const Notice = ({ icon: Icon, title, children, action, heading: Heading = 'h2' }: Props) => (
  <div className="mx-auto grid max-w-sm animate-fade justify-items-center gap-3 px-6 py-14 text-center">
    <span className="grid size-18 place-items-center rounded-full bg-glow text-on-glow">
      <Icon className="size-8" strokeWidth={1.7} aria-hidden="true" />
    </span>
    <Heading className="font-display text-xl font-semibold text-balance">{title}</Heading>
    {children && <p className="text-soft text-pretty">{children}</p>}
    {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
  </div>
)

type Failure = {
  error: unknown
  retry?: () => void
  /** What it means when it is not there, why that may be, and where to go instead. */
  gone?: string
  goneMore?: string
  goneAction?: ReactNode
  heading?: 'h1' | 'h2'
}

/** What went wrong while loading, in human words, with a way on. */
export const Failed = ({ error, retry, gone, goneMore, goneAction, heading = 'h2' }: Failure) => {
  const { t } = useWords()
  const reachable = useStore(online)
  const again = retry && (
    <Button look="quiet" onClick={retry}>
      {t('common.tryAgain')}
    </Button>
  )
  const status = statusOf(error)
  if (status === 404 || status === 400)
    return (
      <Notice heading={heading} icon={Search} title={gone ?? t('failed.gone')} action={goneAction}>
        {goneMore}
      </Notice>
    )
  if (!reachable || status === undefined)
    return (
      <Notice heading={heading} icon={CloudOff} title={t('failed.offline')} action={again}>
        {t('failed.offlineMore')}
      </Notice>
    )
  return (
    <Notice
      heading={heading}
      icon={TriangleAlert}
      title={status === 429 ? t('failed.tooMany') : t('failed.server')}
      action={again}
    >
      {status === 429 ? t('failed.tooManyMore') : t('failed.serverMore')}
    </Notice>
  )
}
