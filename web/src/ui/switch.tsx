import { Switch as Radix } from 'radix-ui'
import { type ReactNode, useId } from 'react'

type Props = {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange(checked: boolean): void
  disabled?: boolean
}

export const Switch = ({ label, hint, checked, onChange, disabled }: Props) => {
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
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="relative h-7.5 w-13 shrink-0 rounded-full border border-edge bg-sunken transition data-[state=checked]:border-ember data-[state=checked]:bg-ember"
      >
        <Radix.Thumb className="block size-5.5 translate-x-1 rounded-full bg-edge transition data-[state=checked]:translate-x-6 data-[state=checked]:bg-on-ember rtl:-translate-x-1 rtl:data-[state=checked]:-translate-x-6" />
      </Radix.Root>
    </div>
  )
}
