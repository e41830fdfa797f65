import type { KeyboardEvent } from 'react'

/**
 * A history is one tab stop, however many messages it has. Up and Down move between messages, Enter opens a message's
 * menu, Left and Right move through its contents, and Escape leads back out.
 */
export const onHistoryKey = (event: KeyboardEvent<HTMLElement>) => {
  const log = event.currentTarget
  const { key, altKey, ctrlKey, metaKey } = event
  // A menu or dialog opened by a message is elsewhere in the document, and has its own keys.
  if (altKey || ctrlKey || metaKey || !log.contains(event.target as Element)) return
  const article = (event.target as Element).closest<HTMLElement>('article')
  const go = (to: HTMLElement | undefined | null) => {
    if (!to) return
    event.preventDefault()
    event.stopPropagation()
    to.focus()
  }
  if (key === 'ArrowUp' || key === 'ArrowDown') return go(nextTo(log, article, key === 'ArrowUp' ? -1 : 1))
  if (!article) return
  if (key === 'Escape') return go(log)
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const inside = [
      article,
      ...article.querySelectorAll<HTMLElement>('button:not([disabled]), a[href]:not([aria-hidden])'),
    ]
    return go(inside[inside.indexOf(event.target as HTMLElement) + (key === forward ? 1 : -1)])
  }
  if (key === 'Enter' && event.target === article) {
    event.preventDefault()
    article.querySelector<HTMLElement>('[aria-haspopup=menu]')?.click()
  }
}

/** From outside a message, the last one in view. */
const nextTo = (log: HTMLElement, article: HTMLElement | null, by: number) => {
  const all = [...log.querySelectorAll<HTMLElement>('article')]
  if (article) return all[all.indexOf(article) + by]
  const { bottom } = log.getBoundingClientRect()
  return all.findLast(each => each.getBoundingClientRect().bottom <= bottom + 1) ?? all.at(-1)
}
