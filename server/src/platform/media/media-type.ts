/** The types we serve to be shown. Whatever a row says, nothing else is ever named to a browser. */
const shown = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/svg+xml', // only what we drew ourselves: no upload becomes one
  'video/mp4',
])

/** The headers that keep a file of strangers from being anything but a picture or a film. */
export function typeHeaders(type: string): Record<string, string> {
  const known = shown.has(type)
  return {
    'content-type': known ? type : 'application/octet-stream',
    'content-disposition': known ? 'inline' : 'attachment',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
  }
}
