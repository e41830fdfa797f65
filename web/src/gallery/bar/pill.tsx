import type { ComponentProps } from 'react'

export const pill =
  'touch flex h-9 shrink-0 items-center gap-2 rounded-full border border-line bg-card px-3 text-sm font-semibold whitespace-nowrap hover:bg-hover [&>svg]:size-4 [&>svg]:text-soft'

export const Pill = (button: ComponentProps<'button'>) => <button {...button} type="button" className={pill} />
