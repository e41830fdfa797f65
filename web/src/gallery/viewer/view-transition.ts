import './view-transition.css'

/* A photo moves out of its tile and back into it, if the engine supports it. */

const still = matchMedia('(prefers-reduced-motion: reduce)')
/** After this time, the transition begins with the current page, however long rendering takes. */
const drawMs = 400
const name = 'photo'

let drawn: (() => void) | undefined
/** The photo is on the page, or gone from it. */
export const stageIsDrawn = () => drawn?.()

const named = (element: Element | null | undefined, is: boolean) => {
  if (element instanceof HTMLElement) element.style.viewTransitionName = is ? name : ''
}

/** Transitions from what `from` shows to what `to` shows afterwards; `go` starts the change. */
const move = (from: () => Element | null | undefined, to: () => Element | null | undefined, go: () => void) => {
  const before = from()
  if (!document.startViewTransition || still.matches || !before) return go()
  named(before, true)
  let after: Element | null | undefined
  const moving = document.startViewTransition(async () => {
    named(before, false)
    const done = new Promise<void>(resolve => {
      drawn = resolve
      setTimeout(resolve, drawMs)
    })
    go()
    await done
    drawn = undefined
    after = to()
    named(after, true)
  })
  moving.finished.catch(() => {}).finally(() => named(after, false))
}

const tileOf = (id: string) => document.querySelector(`[data-photo="${CSS.escape(id)}"]`)
const shotNow = () => document.querySelector('[data-shot]')

/** Opens a photo out of its tile. */
export const moveOut = (id: string, go: () => void) => move(() => tileOf(id), shotNow, go)

/** Lets a photo return to its tile, scrolling to it if it is out of view. */
export const moveBack = (id: string, go: () => void) => {
  const tile = tileOf(id)
  if (tile && !isSeen(tile)) tile.scrollIntoView({ block: 'center' })
  move(tile ? shotNow : () => undefined, () => tileOf(id), go)
}

const isSeen = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}
