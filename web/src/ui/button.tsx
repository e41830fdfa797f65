import type { ButtonHTMLAttributes, ComponentProps, ReactNode } from 'react'
import { Spinner } from './spinner.tsx'

const looks = {
  main: 'bg-ember text-on-ember hover:bg-ember-deep shadow-card',
  quiet: 'bg-card text-ink border border-line hover:bg-hover',
  soft: 'bg-glow text-on-glow hover:brightness-95 dark:hover:brightness-110',
  bare: 'text-ember hover:bg-hover',
  danger: 'bg-bad-soft text-bad hover:brightness-95',
}
const sizes = {
  small: 'touch min-h-9 px-4 py-1 text-sm',
  normal: 'min-h-11 px-4 py-2',
  large: 'min-h-13 px-6 py-2 text-base',
}

export const buttonClass = (look: keyof typeof looks = 'main', size: keyof typeof sizes = 'normal', more = '') =>
  `inline-flex items-center justify-center gap-2 rounded-full text-center leading-tight font-semibold select-none transition active:scale-[0.98] disabled:opacity-60 disabled:pointer-events-none ${looks[look]} ${sizes[size]} ${more}`

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: keyof typeof looks
  size?: keyof typeof sizes
  /** The action is in progress. */
  busy?: boolean
  icon?: ReactNode
}

export const Button = ({ look, size, busy, icon, className, children, type = 'button', disabled, ...rest }: Props) => (
  <button
    {...rest}
    type={type}
    disabled={disabled}
    aria-busy={busy || undefined}
    onClick={busy ? undefined : rest.onClick}
    className={buttonClass(look, size, className)}
  >
    {busy ? <Spinner /> : icon}
    {children}
  </button>
)

/** A round button with just an icon; its label is its accessible name. */
export const IconButton = ({
  label,
  children,
  className = '',
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { label: string }) => (
  <button {...rest} type={type} aria-label={label} title={label} className={`${iconButtonClass} ${className}`}>
    {children}
  </button>
)

export const iconButtonClass =
  'inline-grid size-11 shrink-0 place-items-center rounded-full text-soft transition hover:bg-hover hover:text-ink active:scale-95 disabled:opacity-50 disabled:pointer-events-none [&>svg]:size-5.5'
