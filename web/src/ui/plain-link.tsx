import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

/** A click that asks for another tab or a download is left to the browser. */
export const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/**
 * A link to one of our pages, with its address written out: the router's own computes its address and listens to the
 * router, in each row of a list that is scrolled through.
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
