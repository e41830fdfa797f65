import { useState } from 'react'

/** WebKit does not focus a button that is pressed: the last one is remembered. */
let pressed: Element | null = null
addEventListener(
  'click',
  ({ target }) => {
    pressed = (target as Element).closest('button, a, summary, [role=menuitem]')
  },
  true,
)

/** Returns the focus, after a layer closes, to the element that opened it, or else to the page. */
export const useOpener = () => {
  const [opener] = useState(() => (document.activeElement === document.body ? pressed : document.activeElement))
  return (event: Event) => {
    event.preventDefault()
    const back = opener?.isConnected ? opener : document.getElementById('main')
    ;(back as HTMLElement | null)?.focus({ preventScroll: true })
  }
}
