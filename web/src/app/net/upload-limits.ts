import { limitOf } from '../sizes.ts'
import { t } from '../words.ts'
import { api } from './client.ts'

type Limits = Awaited<ReturnType<typeof api.gallery.readUploadLimits>>
export type Kind = 'image' | 'raw' | 'video' | 'attachment'

let asked: Promise<Limits | undefined> | undefined

/** Requested once, when a file is chosen; without an answer it is left to the service. */
const limits = () => {
  asked ??= api.gallery.readUploadLimits({}).catch(() => {
    asked = undefined
    return undefined
  })
  return asked
}

/** Tells people that a file is too big, and the limit, before its bytes are sent in vain. */
export const tooBig = async ({ size }: Blob, kind: Kind): Promise<string | undefined> => {
  const most = (await limits())?.[`${kind}_bytes_max`]
  return most !== undefined && size > most ? t('picture.tooBig', { most: limitOf(most) }) : undefined
}
