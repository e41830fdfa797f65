import { useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { shownWindow } from './history/history-query.ts'
import type { Message } from './history/window.ts'
import { react } from './reaction-act.ts'

const longPressMs = 450
const doubleTapMs = 300
/** A finger never holds quite still. */
const stillPx = 9
const replyAtPx = 56
const swipeMaxPx = 84
/** Within this distance of the edge, the phone itself goes back. */
const edgePx = 24

type Touch = {
  row: HTMLElement
  x: number
  y: number
  timer: ReturnType<typeof setTimeout>
  swipes?: boolean
  over?: boolean
}

/**
 * Touch gestures on a message: holding it opens its menu, a double tap adds a heart, a swipe replies. Each is in the
 * menu too, for the keyboard. One listener serves the whole history: there are as many messages as there are.
 */
export const useGestures = (chatId: number, onReply: (message: Message) => void) => {
  const client = useQueryClient()
  const reply = useRef(onReply)
  reply.current = onReply
  // Runs as soon as it is rendered: the first touch may already be there.
  useLayoutEffect(() => {
    return followFingers(
      id => shownWindow(client, chatId)?.messages.find(each => each.id === id && !each.extra.deleted),
      message => reply.current(message),
    )
  }, [client, chatId])
}

type Find = (id: string | undefined) => Message | undefined
/** Returns a function to stop. */
const followFingers = (find: Find, onReply: (message: Message) => void) => {
  let touch: Touch | undefined
  let tapped: { id: string; at: number } | undefined
  let swallowsClick = false
  const end = () => {
    if (touch) swipe(touch.row, 0)
    clearTimeout(touch?.timer)
    touch = undefined
  }
  // Touch moves are reported with the next frame: on a slow phone, after the timer.
  const held = (down: Touch) =>
    requestAnimationFrame(() => {
      if (touch !== down || down.swipes !== undefined) return
      down.over = true
      swallowsClick = true
      openMenuOf(down.row)
    })
  const onDown = ({ target, pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) => {
    end()
    swallowsClick = false
    const row = (target as Element).closest<HTMLElement>('[role=log] [data-row]')
    if (pointerType !== 'touch' || !isPrimary || !row || !find(row.dataset.row)) return
    const down: Touch = { row, x, y, timer: setTimeout(() => held(down), longPressMs) }
    touch = down
  }
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    if (!touch || touch.over) return
    const [dx, dy] = [clientX - touch.x, clientY - touch.y]
    if (Math.hypot(dx, dy) < stillPx) return
    clearTimeout(touch.timer)
    const forward = document.documentElement.dir === 'rtl' ? -1 : 1
    const begins = touch.x > edgePx && touch.x < innerWidth - edgePx
    touch.swipes ??= begins && dx * forward > Math.abs(dy) * 1.5
    if (touch.swipes) swipe(touch.row, forward * Math.min(Math.max(dx * forward, 0), swipeMaxPx))
  }
  const onUp = ({ target, clientX, timeStamp }: PointerEvent) => {
    if (!touch) return
    const { row, x, swipes, over } = touch
    const message = find(row.dataset.row)
    end()
    if (over || !message) return
    if (swipes) {
      swallowsClick = true
      if (Math.abs(clientX - x) >= replyAtPx) onReply(message)
    } else if (!(target as Element).closest('a, button')) {
      const twice = tapped?.id === message.id && timeStamp - tapped.at < doubleTapMs
      tapped = twice ? undefined : { id: message.id, at: timeStamp }
      if (twice) love(message)
    }
  }
  const onClick = (event: MouseEvent) => {
    // Swallows the click of the lifted finger, not a key's, which has no detail; our own click that opened the menu is
    // untrusted.
    if (!swallowsClick || !event.isTrusted || !event.detail) return
    swallowsClick = false
    event.preventDefault()
    event.stopPropagation()
  }
  // The phone's own menu for texts or pictures would cover ours.
  const onMenu = (event: Event) => touch && event.preventDefault()
  const stop = new AbortController()
  const { signal } = stop
  addEventListener('pointerdown', onDown, { signal })
  addEventListener('pointermove', onMove, { signal })
  addEventListener('pointerup', onUp, { signal })
  addEventListener('pointercancel', end, { signal })
  addEventListener('click', onClick, { signal, capture: true })
  addEventListener('contextmenu', onMenu, { signal })
  return () => {
    end()
    stop.abort()
  }
}

const swipe = (row: HTMLElement, px: number) => {
  const article = row.querySelector<HTMLElement>('article')
  if (!article) return
  article.style.transform = px ? `translateX(${px}px)` : ''
  row.toggleAttribute('data-swiped', Math.abs(px) >= replyAtPx)
}

const openMenuOf = (row: HTMLElement) => {
  navigator.vibrate?.(12)
  // Opens it like a pointer: no item is selected yet.
  row.querySelector('[aria-haspopup=menu]')?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
}

const heart = '❤️'
const love = (message: Message) => {
  const { may, my_reactions } = message.extra
  if (may.react && !my_reactions.includes(heart)) react(message, heart)
}
