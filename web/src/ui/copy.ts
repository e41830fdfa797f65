import { t } from '../app/words.ts'
import { say } from './layers/toasts.ts'

/** Writes to the clipboard, which a page without HTTPS does not have. */
export const copy = (text: string) => void navigator.clipboard?.writeText(text).then(() => say(t('chat.copied')))
