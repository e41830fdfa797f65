import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'

type Props = {
  icon: LucideIcon
  title: string
  children?: ReactNode
  act: string
  onAct(): void
  onDismiss(): void
  busy?: boolean
}

/**
 * A card that offers something and waits for an answer. It lies above the page and scrolls away with it: whatever it
 * covered could not be tapped until it is answered.
 */
export const Offer = ({ icon: Icon, title, children, act, onAct, onDismiss, busy = false }: Props) => {
  const { t } = useWords()
  const room = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (room.current ? makeRoom(room.current) : undefined), [])
  return (
    <div ref={room} role="status" className="safe-top mx-auto flow-root max-w-md animate-rise">
      <div className="m-3 flex gap-3.5 rounded-3xl border border-line bg-card p-4 shadow-float">
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-glow text-on-glow">
          <Icon className="size-5.5" strokeWidth={1.8} aria-hidden="true" />
        </span>
        <div className="min-w-0 flex-1">
          <p className="font-semibold text-balance">{title}</p>
          {children && <p className="mt-0.5 text-sm text-soft text-pretty">{children}</p>}
          <div className="mt-3 flex flex-wrap justify-end gap-2">
            <Button look="bare" size="small" onClick={onDismiss}>
              {t('installed.notNow')}
            </Button>
            <Button size="small" busy={busy} onClick={onAct}>
              {act}
            </Button>
          </div>
        </div>
      </div>
    </div>
  )
}

/** Pages as high as the window leave it out; what has been scrolled to stays where it is. */
const makeRoom = (element: HTMLElement) => {
  const { style } = document.documentElement
  const measure = () => style.setProperty('--offer', `${element.offsetHeight}px`)
  const watch = new ResizeObserver(measure)
  watch.observe(element)
  measure()
  const moved = CSS.supports('overflow-anchor', 'auto') || scrollY === 0 ? 0 : element.offsetHeight
  scrollBy(0, moved)
  return () => {
    watch.disconnect()
    style.removeProperty('--offer')
  }
}
