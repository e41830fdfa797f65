/** Characters after a link that are often copied along: a full stop, a bracket, an invisible character. */
const copiedAlong =
  /(?:[.,;:!?)\]}>"'*\u00bb\u2019\u201c\u201d\u2026\u060c\u061b\u061f\u3002]|\p{White_Space}|\p{Default_Ignorable_Code_Point}|\p{Cf})+$/u

/** Removes such characters from the last part of an address. None of our own ends with them. */
export const asMeant = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) => {
  const cut = (text: string) => {
    try {
      const meant = decodeURI(text).replace(copiedAlong, '')
      return meant === decodeURI(text) ? text : encodeURI(meant)
    } catch {
      return text
    }
  }
  if (hash) return { path: pathname, search, hash: cut(hash) }
  return search ? { path: pathname, search: cut(search), hash } : { path: cut(pathname) || '/', search, hash }
}
