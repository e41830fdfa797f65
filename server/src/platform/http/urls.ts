import { initialsOf } from '../media/initials/initials-avatar.ts'
import type { Holder } from '../media/signed-url.ts'
import type { Viewer } from './viewer.ts'

/** Creates the absolute URLs of a reply; one instance for each origin used by requests. */
export type Urls = {
  /** `https://host`, without a trailing slash. */
  origin: string
  /** A signed media URL with the extension of its type (`jpg`). Avatars have the epoch 0. */
  media(object: number, variant: string, epoch: number, ending?: string): string
  /** The same of a picture in an event. It opens while the viewer is in the event, until their sessions end. */
  ofEvent(object: number, variant: string, epoch: number, ending?: string): string
  /** The generated picture of a person or thing without one. Clients draw an event’s theme in its place. */
  initials(name: string, seed: number, theme?: string | null): string
}

type Sign = (of: {
  object: number
  variant: string
  epoch: number
  ending?: string | undefined
  held?: boolean
}) => string

const palette = 24

export const holderOf = ({ id, linkEpoch }: Viewer): Holder => ({ userId: id, linkEpoch })

/** `holding` is appended to the URLs of pictures in events. */
export const urlsFor = (origin: string, sign: Sign, holding: string): Urls => {
  return {
    origin,
    media: (object, variant, epoch, ending) => `${origin}/${sign({ object, variant, epoch, ending })}`,
    ofEvent: (object, variant, epoch, ending) =>
      `${origin}/${sign({ object, variant, epoch, ending, held: true })}${holding}`,
    initials: (name, seed, theme) =>
      `${origin}/media/initials/${encodeURIComponent(initialsOf(name).join(' ') || '?')}/${seed % palette}.svg${theme ? `?theme=${theme}` : ''}`,
  }
}
