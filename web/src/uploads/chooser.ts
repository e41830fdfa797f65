/** A chooser that has not opened by then will not open. */
const waitsMs = 2500

/**
 * A view inside another app (Instagram, Facebook, TikTok and the like) that has neither notifications nor sharing may
 * lack the file chooser; no real browser lacks both.
 */
const isView = () => !('Notification' in window) && !('share' in navigator)

/** True if nothing happened after a click that should have opened a file chooser. */
export const noChooserOpened = (input: HTMLInputElement): Promise<boolean> =>
  new Promise(resolve => {
    if (!isView() || !document.hasFocus()) return resolve(false)
    const settle = (nothing: boolean) => {
      clearTimeout(timer)
      removeEventListener('blur', opened)
      document.removeEventListener('visibilitychange', opened)
      for (const event of ['change', 'cancel']) input.removeEventListener(event, opened)
      resolve(nothing)
    }
    const opened = () => settle(false)
    const timer = setTimeout(() => settle(document.hasFocus()), waitsMs)
    addEventListener('blur', opened)
    document.addEventListener('visibilitychange', opened)
    for (const event of ['change', 'cancel']) input.addEventListener(event, opened)
  })
