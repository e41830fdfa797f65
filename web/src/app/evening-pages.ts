import { ours } from './public-path.ts'
import { openStore } from './store.ts'

/* Whether an event's page shows what counts before, during and after it; on this device, until it is switched off. */

const name = `${ours}.pages.still`

const read = () => {
  try {
    return localStorage.getItem(name) === null
  } catch {
    return true
  }
}

export const eveningPages = openStore(read())

export const setEveningPages = (lively: boolean) => {
  try {
    if (lively) localStorage.removeItem(name)
    else localStorage.setItem(name, '1')
  } catch {
    // A browser that stores nothing forgets it with the page.
  }
  eveningPages.set(lively)
}
