/** Beyond this, a browser no longer accepts a share as the result of a tap. */
const fetchMs = 3000

export const canShare = 'share' in navigator

type Shared = { url: string; name: string; title: string }

/** Shares a picture with other apps; if it does not load in time, or they accept no files, the address of this page. */
export const share = async ({ url, name, title }: Shared) => {
  const file = await fileOf(url, name).catch(() => undefined)
  const files = file && navigator.canShare?.({ files: [file] }) ? [file] : undefined
  // Cancelled by the user, or refused: nothing was shared, as they can see.
  await navigator.share(files ? { files } : { title, url: location.href }).catch(() => {})
}

const fileOf = async (url: string, name: string) => {
  const reply = await fetch(url, { cache: 'force-cache', signal: AbortSignal.timeout(fetchMs) })
  const blob = await reply.blob()
  return reply.ok ? new File([blob], name, { type: blob.type }) : undefined
}
