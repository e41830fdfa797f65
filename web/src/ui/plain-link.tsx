import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

/** A click that asks for another tab or a download stays the browser's. */
export const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/**
 * A link to a page of ours, its address written out: the router's own works its address out and listens to the router,
 * in each row of a list that is scrolled through.
 */
export const PlainLink = ({ href, children, ...rest }: Omit<ComponentProps<'a'>, 'onClick'> & { href: string }) => {
  const { history } = useRouter()
  return (
    <a
      {...rest}
      href={href}
      onClick={event => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        history.push(href)
      }}
    >
      {children}
    </a>
  )
}
