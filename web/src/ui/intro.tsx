import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/** The purpose of a page, shown at its top. */
export const Intro = ({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <div className="flex items-center gap-4">
    <span className="grid size-14 shrink-0 place-items-center rounded-full bg-glow text-on-glow">
      <Icon className="size-7" strokeWidth={1.7} />
    </span>
    <p className="min-w-0 text-pretty hyphens-auto text-soft wrap-anywhere">{children}</p>
  </div>
)
