/* Files found in folders that people add photos from. */

const videoName = /\.(?:mp4|m4v|mov|qt|3gpp?|3g2|avi|wmv|asf)$/i
/** Files that cameras write beside or instead of pictures. */
export const isRawName = (name: string): boolean => rawName.test(name)
const rawName = /\.(?:cr[23]|nef|arw|dng|raf|orf|rw2)$/i
const photoName = /\.(?:jpe?g|png|webp|gif|avif|hei[cf])$/i
/** System files, such as the `._DSC_0412.JPG` that a Mac leaves beside each photo on a card. */
const hiddenName = /^\./

/** A file's kind by its type, or else by its name: many systems know no type for HEIC. */
export const kindOf = ({ type = '', name }: { type?: string; name: string }): 'photo' | 'video' | undefined => {
  if (hiddenName.test(name)) return undefined
  if (type.startsWith('video/') || (!type && videoName.test(name))) return 'video'
  if (type.startsWith('image/') || photoName.test(name) || isRawName(name)) return 'photo'
  return undefined
}
