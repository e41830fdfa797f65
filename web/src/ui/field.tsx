import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
} from 'react'

const box =
  'w-full min-w-0 rounded-xl border bg-card px-4 text-ink transition placeholder:text-soft focus:border-ember focus:outline-2 focus:outline-ember/40 focus:outline-offset-0'

type Shared = { label: ReactNode; hint?: ReactNode; error?: string | undefined; hideLabel?: boolean }

const Frame = ({ id, label, hint, error, hideLabel, children }: Shared & { id: string; children: ReactNode }) => {
  // The first invalid field of its form: the others follow when it is valid.
  useEffect(() => {
    const form = error && document.getElementById(id)?.closest('form')
    if (form) form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [id, error])
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-semibold'}>
        {label}
      </label>
      {children}
      {hint && !error && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

const described = (id: string, { hint, error }: Shared) => ({
  'aria-invalid': error ? true : undefined,
  'aria-describedby': error ? `${id}-error` : hint ? `${id}-hint` : undefined,
})
const border = (error: string | undefined) => (error ? 'border-bad' : 'border-edge')

export const Field = ({
  label,
  hint,
  error,
  hideLabel,
  className = '',
  ...input
}: Shared & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId()
  return (
    <Frame id={id} {...{ label, hint, error, hideLabel }}>
      <input
        {...input}
        {...described(id, { label, hint, error })}
        id={id}
        className={`${box} ${border(error)} h-12 ${className}`}
      />
    </Frame>
  )
}

/** A day and a time. Without a maximum, a browser accepts years of six digits. */
export const DateTimeField = (field: ComponentProps<typeof Field>) => (
  <Field {...field} type="datetime-local" max="9999-12-31T23:59" />
)

export const TextField = ({
  label,
  hint,
  error,
  hideLabel,
  className = '',
  ...input
}: Shared & TextareaHTMLAttributes<HTMLTextAreaElement>) => {
  const id = useId()
  return (
    <Frame id={id} {...{ label, hint, error, hideLabel }}>
      <textarea
        rows={4}
        {...input}
        {...described(id, { label, hint, error })}
        id={id}
        className={`${box} ${border(error)} field-sizing-content max-h-80 min-h-24 py-3 ${className}`}
      />
    </Frame>
  )
}

export const Choice = ({
  label,
  hint,
  error,
  hideLabel,
  children,
  ...select
}: Shared & SelectHTMLAttributes<HTMLSelectElement>) => {
  const id = useId()
  return (
    <Frame id={id} {...{ label, hint, error, hideLabel }}>
      <select {...select} {...described(id, { label, hint, error })} id={id} className={`${box} ${border(error)} h-12`}>
        {children}
      </select>
    </Frame>
  )
}
