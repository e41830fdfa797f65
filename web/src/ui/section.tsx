import type { ReactNode } from 'react'

export const Section = ({ title, children, action }: { title: ReactNode; children: ReactNode; action?: ReactNode }) => (
  <section className="grid grid-cols-1 gap-2">
    <div className="flex min-h-9 items-center justify-between gap-2">
      <h2 className="text-sm font-semibold text-soft">{title}</h2>
      {action}
    </div>
    <div className="overflow-hidden rounded-2xl border border-line bg-card px-4 shadow-card">{children}</div>
  </section>
)
