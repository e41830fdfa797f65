import { openStore } from '../app/store.ts'
import { t } from '../app/words.ts'
import { say } from '../ui/toasts.ts'

/** An account that was deleted on this device and can still be returned to: whose, until when, and whether by a sign-in. */
export type Leaving = { userId: number; until: string; returns: boolean }

const place = 'afterglow.leaving'
const read = (): Leaving | undefined => {
  const kept = JSON.parse(localStorage.getItem(place) ?? 'null') as Leaving | null
  return kept && new Date(kept.until) > new Date() ? kept : undefined
}

export const leaving = openStore<Leaving | undefined>(read())

export const left = (account: Leaving) => {
  localStorage.setItem(place, JSON.stringify(account))
  leaving.set(account)
}

/** Signing in keeps the account: its owner is told so. */
export const welcomeBack = (userId: number) => {
  if (leaving.get()?.userId !== userId) return
  localStorage.removeItem(place)
  leaving.set(undefined)
  say(t('leaving.stays'))
}
