/** A chooser that has not come by then does not come. */
const waitsMs = 2500

/**
 * A view inside of another app (of Instagram, Facebook, TikTok and the like) that has neither notifications nor a way to
 * share is one whose app may have left out the choosing of files; no browser lacks both.
 */
const isView = () => !('Notification' in window) && !('share' in navigator)

/** Whether nothing happened after a click that should have opened a chooser of files. */
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
