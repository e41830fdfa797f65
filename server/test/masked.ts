/**
 * Replaces values by names, so that replies about two people can be compared. Only whole values and whole path segments
 * are replaced: within a text, an id may also be a part of a port, a time or another id.
 */
export const masked = (value: unknown, names: ReadonlyMap<string | number, string>): unknown => {
  if (Array.isArray(value)) return value.map(each => masked(each, names))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, masked(each, names)]))
  if (typeof value !== 'string') return names.get(value as number) ?? value
  const nameOf = (part: string) => names.get(part) ?? names.get(Number(part)) ?? part
  return /[/=]/.test(value) ? value.replaceAll(/(?<=[/=])[^/=?&#]+/g, nameOf) : nameOf(value)
}

/** The same for a reply's text, which need not be JSON. */
export const maskedText = (text: string, names: ReadonlyMap<string | number, string>): unknown => {
  try {
    return masked(JSON.parse(text), names)
  } catch {
    return masked(text, names)
  }
}
