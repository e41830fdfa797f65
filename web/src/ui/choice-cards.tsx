import type { InputHTMLAttributes, ReactNode } from 'react'

type CardsProps = { legend: string; hideLegend?: boolean; className?: string; children: ReactNode }

/** One of several options, each a card; the arrow keys move between them. */
export const ChoiceCards = ({ legend, hideLegend, className = 'grid grid-cols-1', children }: CardsProps) => (
  <fieldset className={`gap-2 ${className}`}>
    <legend className={hideLegend ? 'sr-only' : 'mb-1.5 text-sm font-semibold'}>{legend}</legend>
    {children}
  </fieldset>
)

type CardProps = InputHTMLAttributes<HTMLInputElement> & { title: string; about?: string; picture?: ReactNode }

/** A radio drawn as a card: its label, and a description or a picture. */
export const ChoiceCard = ({ title, about, picture, ...radio }: CardProps) => {
  const shape = about ? 'gap-1 px-4 py-2' : picture ? `${centred} content-start text-sm` : `${centred} content-center`
  return (
    <label className={`relative isolate grid min-h-12 flex-1 cursor-pointer ${shape}`}>
      <input {...radio} type="radio" className="peer sr-only" />
      {/* A box of its own, as old browsers cannot ask a label what it holds. */}
      <span className="absolute inset-0 -z-10 rounded-2xl border border-edge peer-checked:border-ember peer-checked:bg-sunken peer-focus-visible:outline-2 peer-focus-visible:outline-ember" />
      {picture}
      <span className="font-semibold">{title}</span>
      {about && <span className="text-sm text-pretty text-soft">{about}</span>}
    </label>
  )
}
const centred = 'justify-items-center gap-2 p-2 text-center text-balance'
