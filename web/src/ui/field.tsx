import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useState,
} from 'react'
import { invalidWords } from './validity.ts'

const box =
  'w-full min-w-0 rounded-xl border bg-card px-4 text-ink transition placeholder:text-soft focus:border-ember focus:outline-2 focus:outline-ember/40 focus:outline-offset-0'

type Shared = { label: ReactNode; hint?: ReactNode; error?: string | undefined; hideLabel?: boolean }
type Described = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }

/**
 * A field with its label and its error: the service's, or that of the browser's check, in the language of the page
 * instead of the browser's bubble.
 */
const Frame = ({
  label,
  hint,
  error: refused,
  hideLabel,
  children,
}: Shared & { children(described: Described, border: string): ReactNode }) => {
  const id = useId()
  const [found, setFound] = useState<string>()
  const error = found ?? refused
  // The first invalid field of its form: the others follow when it is valid.
  useEffect(() => {
    const form = error && document.getElementById(id)?.closest('form')
    if (form) form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [id, error])
  const described = {
    id,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': error ? `${id}-error` : hint ? `${id}-hint` : undefined,
  }
  return (
    <div
      className="grid grid-cols-1 gap-2"
      onInvalidCapture={event => {
        event.preventDefault()
        const control = event.target as HTMLInputElement
        if (control === control.form?.querySelector(':is(input, textarea, select):invalid')) control.focus()
        void invalidWords(control).then(setFound)
      }}
      onInput={() => setFound(undefined)}
    >
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-semibold'}>
        {label}
      </label>
      {children(described, error ? 'border-bad' : 'border-edge')}
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

export const Field = ({
  label,
  hint,
  error,
  hideLabel,
  className = '',
  ...input
}: Shared & InputHTMLAttributes<HTMLInputElement>) => (
  <Frame {...{ label, hint, error, hideLabel }}>
    {(described, border) => <input {...input} {...described} className={`${box} ${border} h-12 ${className}`} />}
  </Frame>
)

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
}: Shared & TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <Frame {...{ label, hint, error, hideLabel }}>
    {(described, border) => (
      <textarea
        rows={4}
        {...input}
        {...described}
        className={`${box} ${border} field-sizing-content max-h-80 min-h-24 py-3 ${className}`}
      />
    )}
  </Frame>
)

export const Choice = ({
  label,
  hint,
  error,
  hideLabel,
  children,
  ...select
}: Shared & SelectHTMLAttributes<HTMLSelectElement>) => (
  <Frame {...{ label, hint, error, hideLabel }}>
    {(described, border) => (
      <select {...select} {...described} className={`${box} ${border} h-12`}>
        {children}
      </select>
    )}
  </Frame>
)
