import { ours } from '../app/public-path.ts'
import { readKept } from '../app/storage/storage.ts'
import { openStore } from '../app/store.ts'
import { t } from '../app/words.ts'
import { say } from '../ui/layers/toasts.ts'

/** An account deleted on this device that can still be restored: whose, until when, and whether by signing in. */
export type Leaving = { userId: number; until: string; returns: boolean }

const place = `${ours}.leaving`
const read = (): Leaving | undefined => {
  const kept = readKept<Leaving>(localStorage.getItem(place))
  return kept && new Date(kept.until) > new Date() ? kept : undefined
}

export const leaving = openStore<Leaving | undefined>(read())

export const left = (account: Leaving) => {
  localStorage.setItem(place, JSON.stringify(account))
  leaving.set(account)
}

/** Signing in keeps the account, and its owner is told so. */
export const welcomeBack = (userId: number) => {
  if (leaving.get()?.userId !== userId) return
  localStorage.removeItem(place)
  leaving.set(undefined)
  say(t('leaving.stays'))
}
