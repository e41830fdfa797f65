import { DropdownMenu } from 'radix-ui'
import { type ReactNode, type Ref, useCallback, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLayer } from '../../app/router/history.ts'
import type { MenuItems } from './menu.tsx'
import type { MenuOf } from './menu-button.ts'

type Props = MenuOf & { items: MenuItems; above?: ReactNode }

const MenuSheet = ({ button, openedBy, onClose, items, above }: Props) => {
  const chosen = useRef<() => void>(undefined)
  useLayer(onClose)
  // Stable: a new function at each render would reset the focus.
  const begin = useCallback(
    (sheet: HTMLElement | null) => {
      const first = sheet?.querySelector<HTMLElement>('[role=menuitem]')
      // A dialog around it keeps the focus until the menu has taken it over.
      if (openedBy === 'keys') setTimeout(() => first?.focus())
    },
    [openedBy],
  )
  return (
    <DropdownMenu.Root open dir={document.dir as 'ltr'} onOpenChange={open => !open && onClose()}>
      {createPortal(
        <DropdownMenu.Trigger asChild>
          <Place of={button.current} />
        </DropdownMenu.Trigger>,
        document.body,
      )}
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          ref={begin}
          align="end"
          sideOffset={6}
          collisionPadding={10}
          aria-labelledby={undefined}
          aria-label={button.current?.ariaLabel ?? button.current?.textContent ?? undefined}
          onCloseAutoFocus={event => {
            event.preventDefault()
            button.current?.focus()
            // Only now: an open menu keeps the focus to itself, even from a field or dialog that the action opens.
            chosen.current?.()
          }}
          className="z-50 min-w-52 animate-rise rounded-2xl border border-line bg-card p-2 shadow-float"
        >
          {above}
          {itemsIn(items).map((item, at) => {
            if (item === 'line')
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing else.
              return <DropdownMenu.Separator key={at} className="mx-3 my-1 border-t border-line" />
            const { label, icon: Icon, act, danger } = item
            return (
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
            )
          })}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

export default MenuSheet

const itemsIn = (items: MenuItems) =>
  items
    .filter(item => item !== false)
    .filter((item, at, all) => item !== 'line' || (at > 0 && at < all.length - 1 && all[at - 1] !== 'line'))

/** Positions the menu by its button, which itself stays unchanged. */
const Place = ({ of, ref }: { of: HTMLElement | null; ref?: Ref<HTMLSpanElement> }) => {
  const [{ left, top, width, height }] = useState(() => of?.getBoundingClientRect() ?? new DOMRect())
  return <span ref={ref} style={{ position: 'fixed', pointerEvents: 'none', left, top, width, height }} />
}
