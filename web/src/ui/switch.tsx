import { type ReactNode, useId } from 'react'

type Props = {
  label: ReactNode
  hint?: ReactNode
  /** The name of its form field. */
  name?: string
  checked: boolean
  onChange(checked: boolean): void
  disabled?: boolean
}

export const Switch = ({ label, hint, name, checked, onChange, disabled }: Props) => {
  const id = useId()
  return (
    <div className="flex min-h-12 items-center gap-4 py-3">
      <div className="flex-1">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        )}
      </div>
      {name && checked && <input type="hidden" name={name} value="1" />}
      <button
        type="button"
        role="switch"
        name={name}
        id={id}
        aria-checked={checked}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="group touch h-7.5 w-13 shrink-0 rounded-full border border-edge bg-sunken transition aria-checked:border-ember aria-checked:bg-ember"
      >
        <span className="ms-1 block size-5.5 rounded-full bg-edge transition-all group-aria-checked:ms-6 group-aria-checked:bg-on-ember" />
      </button>
    </div>
  )
}
