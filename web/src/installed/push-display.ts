import { pathBelow, publicPath } from '../app/public-path.ts'

export type Pushed = {
  id: string
  title: string
  body: string
  link: string
  tag: string
  unread: number | undefined
  /** Shown without a sound. */
  silent?: boolean
  /** Notifications that were read elsewhere. */
  read: readonly string[]
  /** Paths of our own pictures. */
  images: readonly string[]
}

/** Every push shows something: a browser revokes the permission of sites that show nothing. */
export const pushedFrom = (text: string | undefined): Pushed => {
  const said = fieldsOf(text)
  const word = (name: string) => (typeof said[name] === 'string' ? said[name] : '')
  return {
    id: word('id'),
    title: word('title') || 'Afterglow',
    body: word('body'),
    link: ownLink(word('link')),
    tag: word('tag') || word('id') || 'afterglow',
    unread: typeof said.unread === 'number' ? said.unread : undefined,
    ...(said.silent === true && { silent: true }),
    read: wordsOf(said.read),
    images: wordsOf(said.images).filter(path => path.startsWith('/media/')),
  }
}

const wordsOf = (said: unknown): string[] => (Array.isArray(said) ? said.map(String) : [])

const fieldsOf = (text: string | undefined): Record<string, unknown> => {
  try {
    return Object(JSON.parse(text ?? ''))
  } catch {
    return {}
  }
}

/** A tap may only open an address of our own; without one it opens the list. */
export const ownLink = (link: string) => (/^\/(?![/\\])/.test(link) ? link : '/notifications')

/** The content that two notifications share: one that rings again has different content. */
export const sayingOf = ({ id, title, body }: Pick<Pushed, 'id' | 'title' | 'body'>) =>
  JSON.stringify([id, title, body])

/** Neither is in TypeScript's types. */
type PushOptions = NotificationOptions & {
  renotify: boolean
  image?: string
  tag: string
  data: { id: string; link: string; saying: string }
}

/**
 * The display of a push. It replaces the one with its tag, and rings again unless it is that one's duplicate; one that
 * the open app has already shown stays silent.
 */
export const shownAs = (pushed: Pushed, twin: boolean, heard: boolean): PushOptions => ({
  body: pushed.body,
  tag: pushed.tag,
  data: { id: pushed.id, link: pushed.link, saying: sayingOf(pushed) },
  icon: `${publicPath}/icon-192.png`,
  badge: `${publicPath}/badge-96.png`,
  // Chromium shows one, the others none.
  ...(pushed.images[0] && { image: publicPath + pushed.images[0] }),
  renotify: !twin && !heard && !pushed.silent,
  silent: heard || pushed.silent === true,
})

type Window = { url: string; visibilityState: string }

/** The window that a tap opens: a focused one, else any, but never the live wall nor anything that is not a page. */
export const windowFor = <Each extends Window>(
  windows: readonly Each[],
  isPage: (path: string) => boolean,
  at: string,
) => {
  const fit = windows.filter(({ url }) => {
    const path = pathBelow(at, url)
    return path !== undefined && isPage(path) && !path.endsWith('/wall')
  })
  return fit.find(({ visibilityState }) => visibilityState === 'visible') ?? fit[0]
}

/** An address with the notification's ID, for a page that is not open yet. */
export const landingAt = ({ id, link }: { id: string; link: string }) =>
  publicPath + (id ? `${link}#notification-${id}` : link)
export const landedBy = (hash: string) => Number(/^#?notification-(\d+)$/.exec(hash)?.[1]) || undefined
