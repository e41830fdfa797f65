import type { LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useRef } from 'react'

export type MenuItem = { label: string; icon: LucideIcon; act(): void; danger?: boolean }

/** What can be done with something, behind one button. Items that are false are left out. */
export const Menu = ({
  trigger,
  items,
  above,
}: {
  trigger: ReactNode
  items: (MenuItem | false)[]
  above?: ReactNode
}) => {
  const chosen = useRef<() => void>(undefined)
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={10}
          onCloseAutoFocus={() => {
            // Only now: an open menu keeps the focus to itself, whatever field or dialog the act leads to.
            chosen.current?.()
            chosen.current = undefined
          }}
          className="z-50 min-w-52 animate-rise rounded-2xl border border-line bg-card p-1.5 shadow-float"
        >
          {above}
          {items
            .filter(item => item !== false)
            .map(({ label, icon: Icon, act, danger }) => (
              <DropdownMenu.Item
                key={label}
                onSelect={() => {
                  chosen.current = act
                }}
                className={`flex h-11 items-center gap-3 rounded-xl px-3 outline-none data-highlighted:bg-hover ${danger ? 'text-bad' : ''}`}
              >
                <Icon className="size-5 opacity-80" aria-hidden="true" />
                {label}
              </DropdownMenu.Item>
            ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
