/** Longer than this a browser does not take a share for what was tapped. */
const fetchMs = 3000

export const canShare = 'share' in navigator

type Shared = { url: string; name: string; title: string }

/** Hands a picture to other apps; where it does not come in time, or they take no files, the address of this page. */
export const share = async ({ url, name, title }: Shared) => {
  const file = await fileOf(url, name).catch(() => undefined)
  const files = file && navigator.canShare?.({ files: [file] }) ? [file] : undefined
  // Closed by whoever opened it, or refused: nothing was shared, which they see.
  await navigator.share(files ? { files } : { title, url: location.href }).catch(() => {})
}

const fileOf = async (url: string, name: string) => {
  const reply = await fetch(url, { cache: 'force-cache', signal: AbortSignal.timeout(fetchMs) })
  const blob = await reply.blob()
  return reply.ok ? new File([blob], name, { type: blob.type }) : undefined
}
