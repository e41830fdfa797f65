import { type RefObject, useCallback, useMemo } from 'react'
import { draftOf, keepDraft } from '../app/storage/drafts.ts'
import { readKept } from '../app/storage/storage.ts'

/** All values of each field that differs from the form's initial state. */
type Values = Record<string, string[]>
const framesMax = 20

/**
 * Unsent input at a place: kept over Back, Forward and a reload, without a network, and for other tabs, until
 * `keep('')`. A whole form by its `form` ref, except secrets and files.
 */
export const useDraft = (place: string, ref?: RefObject<HTMLFormElement | null>) => {
  const form = useCallback(
    (element: HTMLFormElement | null) => {
      if (ref) ref.current = element
      return element ? keepForm(element, place) : undefined
    },
    [place, ref],
  )
  return useMemo(() => ({ text: draftOf(place), keep: (text: string) => keepDraft(place, text), form }), [place, form])
}

const keepForm = (form: HTMLFormElement, place: string) => {
  const untouched = valuesIn(form)
  const stopped = new AbortController()
  const { signal } = stopped
  const keep = () => {
    if (signal.aborted) return
    const now = valuesIn(form)
    const changed = Object.keys({ ...untouched, ...now }).filter(name => String(now[name]) !== String(untouched[name]))
    const draft = Object.fromEntries(changed.map(name => [name, now[name] ?? []]))
    keepDraft(place, changed.length > 0 ? JSON.stringify(draft) : '')
  }
  form.addEventListener('input', keep, { signal })
  // A switch re-renders before its value changes.
  form.addEventListener('click', () => setTimeout(keep), { signal })
  const kept = readKept<Values>(draftOf(place) || null)
  // Runs after the page has read the form's initial state. What was not changed stays, whatever filling moves along.
  if (kept) queueMicrotask(() => fill(form, { ...kept, ...untouched, ...kept }, framesMax, signal))
  return () => stopped.abort()
}

const valuesIn = (form: HTMLFormElement): Values => {
  const values: Values = {}
  const secret = new Set(
    [...form.querySelectorAll<HTMLInputElement>('[type=password], [name=pin]')].map(({ name }) => name),
  )
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && !secret.has(name)) values[name] = [...(values[name] ?? []), value]
  return values
}

/** Fields that depend on others, such as a further choice, are filled as soon as they exist. */
const fill = (form: HTMLFormElement, kept: Values, frames: number, signal: AbortSignal) => {
  if (signal.aborted) return
  const left = Object.entries(kept).filter(([name, values]) => !isFilled(form, name, values))
  if (left.length > 0 && frames > 0)
    requestAnimationFrame(() => fill(form, Object.fromEntries(left), frames - 1, signal))
}

const isFilled = (form: HTMLFormElement, name: string, values: readonly string[]): boolean => {
  const controls = [...form.elements].filter(each => each.getAttribute('name') === name)
  const toggle = controls.find(each => each.getAttribute('role') === 'switch')
  if (toggle) {
    if ((toggle.ariaChecked === 'true') !== values.length > 0) (toggle as HTMLElement).click()
    return true
  }
  const missing = values.length > controls.length
  if (missing) form.querySelector<HTMLElement>(`[data-adds~="${name}"]`)?.click()
  // Removed rows are restored whole.
  if (values.length < controls.length && !controls.some(isTicked)) return true
  controls.forEach((each, at) => {
    if (isTicked(each)) each.checked === values.includes(each.value) || each.click()
    else typeInto(each as HTMLInputElement, values[at] ?? '')
  })
  return !missing
}

const isTicked = (control: Element): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox')

/** Simulates typing, so that all listeners run. */
export const typeInto = (control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string) => {
  if (control.value === value) return
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value') as PropertyDescriptor
  set?.call(control, value)
  for (const heard of ['input', 'change']) control.dispatchEvent(new Event(heard, { bubbles: true }))
}
