import type { FormEvent } from 'react'

export const formText = (form: FormData, name: string): string => String(form.get(name) ?? '')
/** Undefined for an empty field. */
export const formMaybe = (form: FormData, name: string): string | null => formText(form, name).trim() || null

/** Passes on a form's fields when it is submitted, and keeps the browser from submitting it. */
export const useForm = (send: (form: FormData) => void) => (event: FormEvent<HTMLFormElement>) => {
  event.preventDefault()
  // React passes it on to a form from which a dialog with this one was opened.
  event.stopPropagation()
  send(new FormData(event.currentTarget))
}
