import type { LucideIcon } from 'lucide-react'
import { cloneElement, type ReactElement } from 'react'
import { overlay } from '../../app/router/lazy.tsx'
import { useMenuButton } from './menu-button.ts'

export type MenuItem = { label: string; icon: LucideIcon; act(): void; danger?: boolean }
/** A line lies between two groups that both have items. */
export type MenuItems = readonly (MenuItem | false | 'line')[]

/** Its code, 30 KB with dependencies, is loaded when the first menu is opened. */
export const MenuSheet = overlay(async () => (await import('./menu-sheet.tsx')).default)

type Props = {
  /** A button, which receives the props that open the menu. */
  trigger: ReactElement<object>
  items: MenuItems
}

/** Actions behind a single button. Items that are false are left out. */
export const Menu = ({ trigger, items }: Props) => {
  const { props, button, openedBy, onClose } = useMenuButton()
  return (
    <>
      {cloneElement(trigger, props)}
      {openedBy && <MenuSheet {...{ button, openedBy, onClose, items }} />}
    </>
  )
}
