import { t } from '../../app/words.ts'
import { sayFailure } from '../../ui/failure.ts'
import { dismiss, say } from '../../ui/layers/toasts.ts'

/** Beyond this, a browser no longer accepts a share as the result of a tap. */
const tapMs = 3000
/** A noticeable wait. */
const sayAfterMs = 500

export const canShare = 'share' in navigator

type Shared = { url: string; name: string; title: string }

/** The latest requested picture, until it is shared. */
let loading: { url: string; file: Promise<File>; tappedAt: number } | undefined

/**
 * Shares a picture with other apps, or the address of this page if they accept no files. A picture that takes longer to
 * load than a tap lasts is kept for the next one.
 */
export const share = async ({ url, name, title }: Shared) => {
  if (!acceptsFiles()) return open({ title, url: location.href })
  if (loading?.url !== url) loading = { url, file: fileOf(url, name), tappedAt: 0 }
  const mine = loading
  mine.tappedAt = performance.now()
  let said: number | undefined
  const saying = setTimeout(() => {
    said = say(t('photo.sharing'), undefined, true)
  }, sayAfterMs)
  try {
    const file = await mine.file
    if (loading !== mine) return
    const share = () => {
      loading = undefined
      return open({ files: [file] })
    }
    if (performance.now() - mine.tappedAt < tapMs) await share()
    else say(t('photo.shareReady'), { label: t('links.share'), act: () => void share() })
  } catch (error) {
    if (loading !== mine) return
    loading = undefined
    sayFailure(error)
  } finally {
    clearTimeout(saying)
    if (said !== undefined) dismiss(said)
  }
}

/** Cancelled by the user, or refused: nothing was shared, as they can see. */
const open = (what: ShareData) => navigator.share(what).catch(() => {})

const acceptsFiles = () => navigator.canShare?.({ files: [new File([''], 'photo.jpg', { type: 'image/jpeg' })] })

const fileOf = async (url: string, name: string) => {
  const reply = await fetch(url, { cache: 'force-cache' })
  if (!reply.ok) throw new Error(`The picture came with ${reply.status}.`)
  const blob = await reply.blob()
  return new File([blob], name, { type: blob.type })
}
