/**
 * Tells whether a page of an origin may call the service, over HTTP and the channel alike: `Origin` is compared as
 * browsers send it.
 */
export const openOrigins = (listed: readonly string[]) => {
  const known = new Set(listed)
  return (origin: string): boolean => known.has(origin)
}
