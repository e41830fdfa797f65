import { Component, createRef, type ReactNode } from 'react'
import { onHistoryKey } from './history-keys.ts'

/** The visible part of a history: the places of its first and last row. */
export type View = {
  first: number
  last: number
  atBottom: boolean
  /** The user scrolled. */
  moved: boolean
}

/** The scroll target: a row, and its position on the screen, or the end of all. */
export type Aim = { place: number; align: 'start' | 'center' } | 'end'

type Props = {
  label: string
  start: Aim
  /** The place of the last row, and whether it is the last there is. */
  last: number
  ends: boolean
  /** More is being rendered, which screen readers need not announce. */
  busy: boolean
  onView(view: View): void
  /** Blocks, each with the place of its first row. */
  children: ReactNode
}

const bottomPixels = 60

/**
 * A history's scroll container. It counts from its end, so that a reader there stays there, and messages added above
 * move nobody. If something changes below, the row at the top of the screen keeps its distance to the lower edge: the
 * difference is scrolled before painting. It is a class because only getSnapshotBeforeUpdate runs right before its
 * children change.
 */
export class HistoryScroller extends Component<Props> {
  readonly #place = createRef<HTMLDivElement>()
  /** Kept until the user scrolls. */
  #aim: Aim | undefined = this.props.start
  #held: { row: Element; bottom: number } | undefined
  /** The last known scroll position, and whether the user has moved it since a row was chosen. */
  #top = 0
  #moved = false
  #atEnd = false
  readonly #watch = new ResizeObserver(() => {
    this.#follow(this.props.ends)
    this.#settle()
  })

  get box() {
    return this.#place.current as HTMLDivElement
  }

  get #blocks() {
    return (this.box.firstElementChild as Element).children
  }

  aim(at: Aim) {
    this.#aim = at
    this.#settle()
  }

  override componentDidMount() {
    this.#settle()
    for (const each of [this.box, this.box.firstElementChild as Element]) this.#watch.observe(each)
  }

  override componentWillUnmount() {
    this.#watch.disconnect()
  }

  override getSnapshotBeforeUpdate({ ends }: Props) {
    this.#follow(ends)
    return null
  }

  override componentDidUpdate({ last, ends }: Props) {
    // Otherwise before the next frame is early enough: measuring now would lay out everything once more.
    if (this.#aim || last !== this.props.last || ends !== this.props.ends) this.#settle()
  }

  /** A scroll position not reported by an event yet. */
  #follow(ends: boolean) {
    const { scrollTop } = this.box
    if (Math.abs(scrollTop - this.#top) >= 1) {
      this.#moved = true
      this.#aim = undefined
      if (this.#held) this.#held.bottom += scrollTop - this.#top
      this.#top = scrollTop
    }
    this.#atEnd = ends && this.#top > -bottomPixels
  }

  #settle() {
    const held = this.#aim || this.#atEnd || !this.#held?.row.isConnected ? undefined : this.#held
    const by = this.#aim ? this.#misses(this.#aim) : held ? held.bottom - this.#bottomOf(held.row) : 0
    if (Math.abs(by) >= 0.5) this.box.scrollTop += by
    this.#top = this.box.scrollTop
    this.#follow(this.props.ends)
    if (this.#atEnd) this.#aim = undefined
    this.#look(false, !held)
  }

  /** The difference in pixels between a row's target and its position. */
  #misses(aim: Aim) {
    if (aim === 'end') return -this.box.scrollTop
    const row = this.#rowAt(aim.place)?.getBoundingClientRect()
    if (!row) return 0
    const { top, bottom } = this.box.getBoundingClientRect()
    return aim.align === 'start' ? row.top - top : (row.top + row.bottom - top - bottom) / 2
  }

  /** The distance to the lower edge, which a keyboard moves too. */
  #bottomOf(row: Element) {
    return this.box.getBoundingClientRect().bottom - row.getBoundingClientRect().bottom
  }

  #look(moved: boolean, holds: boolean) {
    const { top, bottom } = this.box.getBoundingClientRect()
    const first = this.#find(row => row.bottom > top + 1)
    const last = this.#find(row => row.top >= bottom) - 1
    const row = holds && this.#rowAt(first)
    if (row) this.#held = { row, bottom: this.#bottomOf(row) }
    this.props.onView({ first, last, atBottom: this.#atEnd, moved })
  }

  /** The place of the first row that satisfies the condition; all later rows must satisfy it, too. */
  #find(is: (row: DOMRect) => boolean) {
    // Only within a block that is near: measuring distant rows would lay them out.
    const blocks = this.#blocks
    const at = firstOf(blocks, each => is(each.getBoundingClientRect()))
    const block = blocks[at] ?? blocks[at - 1]
    return block ? placeOf(block) + firstOf(rowsIn(block), each => is(each.getBoundingClientRect())) : 0
  }

  /** Its block, until the row is rendered. */
  #rowAt(place: number) {
    const blocks = this.#blocks
    const block = blocks[firstOf(blocks, each => placeOf(each) > place) - 1]
    return block && (rowsIn(block)[place - placeOf(block)] ?? block)
  }

  readonly #onScroll = () => {
    this.#follow(this.props.ends)
    if (!this.#moved) return
    this.#moved = false
    this.#look(true, true)
  }

  override render() {
    const { label, busy, children } = this.props
    return (
      <div
        ref={this.#place}
        role="log"
        aria-label={label}
        aria-busy={busy}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys.
        tabIndex={0}
        onKeyDownCapture={onHistoryKey}
        onScroll={this.#onScroll}
        className="scroll-thin flex h-full flex-col-reverse overflow-y-auto"
      >
        <div>{children}</div>
      </div>
    )
  }
}

/** The rows of a held block must not be measured: that would lay them out. */
const rowsIn = (block: Element) => ('held' in (block as HTMLElement).dataset ? [] : block.children)

const placeOf = (block: Element) => Number((block as HTMLElement).dataset.first)

/** Binary search: the index of the first element that satisfies the condition; all later ones must satisfy it, too. */
const firstOf = (elements: ArrayLike<Element>, is: (element: Element) => boolean) => {
  let [from, to] = [0, elements.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (is(elements[middle] as Element)) to = middle
    else from = middle + 1
  }
  return from
}
