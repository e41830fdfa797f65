import { type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from 'react'

/** How a menu was opened: with the keyboard its first item is selected, with a finger none. */
export type OpenedBy = 'keys' | 'pointer'

/** The element a menu is attached to. */
export type MenuOf = { button: RefObject<HTMLButtonElement | null>; openedBy: OpenedBy; onClose(): void }

/** For a menu's button, which exists before the menu's code does. */
export const useMenuButton = () => {
  const button = useRef<HTMLButtonElement>(null)
  const [openedBy, setOpenedBy] = useState<OpenedBy>()
  return {
    button,
    openedBy,
    onClose: () => setOpenedBy(undefined),
    /** Props for the button. */
    props: {
      ref: button,
      'aria-haspopup': 'menu' as const,
      'aria-expanded': openedBy !== undefined,
      'data-state': openedBy ? 'open' : 'closed',
      // A click without a pointer has no detail.
      onClick: ({ detail }: MouseEvent) => setOpenedBy(detail === 0 ? 'keys' : 'pointer'),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        setOpenedBy('keys')
      },
    },
  }
}
