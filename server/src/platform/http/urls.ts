import { initialsOf } from '../media/initials-avatar.ts'

/** Creates the absolute URLs of a reply; one instance for each origin used by requests. */
export type Urls = {
  /** `https://host`, without a trailing slash. */
  origin: string
  /** A signed media URL that ends in what it is (`jpg`). Avatars have the epoch 0. */
  media(object: number, variant: string, epoch: number, ending?: string): string
  /** The generated picture of a person or thing without one. */
  initials(name: string, seed: number): string
}

type Sign = (of: { object: number; variant: string; epoch: number; ending?: string | undefined }) => string

const palette = 24

export const urlsFor = (origin: string, sign: Sign): Urls => {
  return {
    origin,
    media: (object, variant, epoch, ending) => `${origin}/${sign({ object, variant, epoch, ending })}`,
    initials: (name, seed) =>
      `${origin}/media/initials/${encodeURIComponent(initialsOf(name).join(' ') || '?')}/${seed % palette}.svg`,
  }
}
