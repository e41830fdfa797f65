import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = {
  icon: LucideIcon
  title: string
  children?: ReactNode
  action?: ReactNode
  /** `h1` if the page has no other. */
  heading?: 'h1' | 'h2'
}

/** Fills a page or pane that has nothing else to show: what that means, and what can be done. */
export const Notice = ({ icon: Icon, title, children, action, heading: Heading = 'h2' }: Props) => (
  <div className="mx-auto grid max-w-sm animate-fade justify-items-center gap-3 px-6 py-14 text-center">
    <span className="grid size-18 place-items-center rounded-full bg-glow text-on-glow">
      <Icon className="size-8" strokeWidth={1.7} />
    </span>
    <Heading className="font-display text-xl font-semibold text-balance">{title}</Heading>
    {children && <p className="text-soft text-pretty">{children}</p>}
    {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
  </div>
)
