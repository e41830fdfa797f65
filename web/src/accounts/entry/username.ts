/** A username that somebody with this name might choose; empty if the name has no Latin letters. */
export const usernameFrom = (first: string, last: string): string => {
  const plain = `${first}.${last}`
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '')
  const name = plain.replace(/^\.+|\.+$/g, '')
  return name.length < 3 ? '' : name.slice(0, 64)
}
