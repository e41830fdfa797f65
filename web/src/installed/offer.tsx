import { type LucideIcon, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useWords } from '../app/words.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { useSwipeAway } from '../ui/layers/swipe-away.ts'

type Props = {
  icon: LucideIcon
  title: string
  act: string
  onAct(): void
  onDismiss(): void
  busy?: boolean
}

/** A line with an offer, shown once the user is in the middle of nothing. */
export const Offer = (props: Props) => (useQuiet() ? <Line {...props} /> : null)

/** It stands above the page, and scrolls away with it: covered elements could not be tapped until it is answered. */
const Line = ({ icon: Icon, title, act, onAct, onDismiss, busy = false }: Props) => {
  const { t } = useWords()
  const room = useRef<HTMLDivElement>(null)
  const line = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (room.current ? makeRoom(room.current) : undefined), [])
  useSwipeAway(line, onDismiss)
  return (
    <div
      ref={room}
      role="status"
      className="safe-top flow-root animate-fade overflow-x-clip border-b border-line bg-glow"
    >
      <div
        ref={line}
        className="mx-auto flex min-h-13 max-w-3xl touch-pan-y items-center gap-2 py-1 ps-4 pe-1 text-on-glow"
      >
        <Icon className="size-5 shrink-0 max-[22rem]:hidden" strokeWidth={1.8} />
        <p className="min-w-0 flex-1 text-sm leading-snug font-semibold text-balance">{title}</p>
        <Button size="small" busy={busy} onClick={onAct}>
          {act}
        </Button>
        <IconButton label={t('installed.notNow')} onClick={onDismiss}>
          <X />
        </IconButton>
      </div>
    </div>
  )
}

const lookMs = 400

/** True from the first moment without a layer over the page or a field with unsent text. */
const useQuiet = () => {
  const [quiet, setQuiet] = useState(isQuiet)
  useEffect(() => {
    if (quiet) return
    const looking = setInterval(() => isQuiet() && setQuiet(true), lookMs)
    return () => clearInterval(looking)
  }, [quiet])
  return quiet
}

const isQuiet = () => {
  const field = document.activeElement
  const writes =
    (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) &&
    field.value !== ''
  return !writes && !history.state?.layer
}

/** Pages as high as the window leave room for it; the scroll position stays. */
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
