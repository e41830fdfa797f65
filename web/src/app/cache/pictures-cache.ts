/* Pictures that were seen, for offline use. */

import { ours, pathBelow } from '../public-path.ts'

export const picturesCache = `${ours}-pictures`
/** Pictures of a wall, in the size for screens. */
export const wallCache = `${ours}-wall`

/** At about 70 KB a preview, some 20 MB. */
export const picturesMax = 300
/** Faces, previews and most event pictures; not full-screen ones. */
const bytesMax = 400_000

type PictureRequest = { method: string; destination: string; url: string }

/** The name under which a picture is stored: without its signature, which changes every six hours. */
export const pictureKey = ({ method, destination, url }: PictureRequest, at: string): string | undefined => {
  const path = pathBelow(at, url)
  const isPicture = /^\/media\/(?:\d+\/(?:preview|display)(?:\.\w+)?|initials\/.+)$/.test(path ?? '')
  return method === 'GET' && destination === 'image' && isPicture ? path : undefined
}

/** A picture worth storing. */
export const isKeepable = ({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean =>
  status === 200 && Number(headers.get('content-length') ?? bytesMax) < bytesMax

/** The stored pictures to remove, oldest first. */
export const tooMany = <Key>(oldestFirst: readonly Key[]): Key[] =>
  oldestFirst.slice(0, Math.max(0, oldestFirst.length - picturesMax))
