import { initialsOf } from '../media/initials-avatar.ts'

/** Makes the absolute URLs of a reply; one for each origin that requests come in by. */
export type Urls = {
  /** `https://host`, without a slash at the end. */
  origin: string
  /** A signed media URL. Avatars have the epoch 0. */
  media(object: number, variant: string, epoch: number): string
  /** The same as JSON. */
  mediaJson(object: number, variant: string, epoch: number): string
  /** The generated picture of somebody or something without one. */
  initials(name: string, seed: number): string
}

type Sign = (of: { object: number; variant: string; epoch: number }) => string

const palette = 24

// Cutting a name into graphemes takes longer than all else that presents a person.
const initialsKept = 10_000
const kept = new Map<string, string>()
const initialsIn = (name: string) => {
  const known = kept.get(name)
  if (known) return known
  if (kept.size >= initialsKept) kept.clear()
  const initials = encodeURIComponent(initialsOf(name).join(' ') || '?')
  kept.set(name, initials)
  return initials
}

export const urlsFor = (origin: string, sign: Sign): Urls => {
  // An origin is what the request says that it is and may hold anything, where a signed path is ours.
  const opened = JSON.stringify(`${origin}/`).slice(0, -1)
  return {
    origin,
    media: (object, variant, epoch) => `${origin}/${sign({ object, variant, epoch })}`,
    mediaJson: (object, variant, epoch) => `${opened}${sign({ object, variant, epoch })}"`,
    initials: (name, seed) => `${origin}/media/initials/${initialsIn(name)}/${seed % palette}`,
  }
}
