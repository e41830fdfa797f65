/** The types that are served for display. Whatever a row says, no other type is ever declared to a browser. */
const shown = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/svg+xml', // only what we drew ourselves: no upload becomes one
  'video/mp4',
])

/** Makes browsers treat an untrusted file as a picture or a video and nothing else. */
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
