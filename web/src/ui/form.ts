import type { FormEvent } from 'react'

export const formText = (form: FormData, name: string): string => String(form.get(name) ?? '')
/** A field left empty means: nothing. */
export const formMaybe = (form: FormData, name: string): string | null => formText(form, name).trim() || null

/** Hands a form's fields over when it is sent, and keeps the browser from sending it itself. */
export const useForm = (send: (form: FormData) => void) => (event: FormEvent<HTMLFormElement>) => {
  event.preventDefault()
  send(new FormData(event.currentTarget))
}
