/** When the page has been drawn and nobody waits for anything, or after 2 s. */
export const whenIdle = (): Promise<void> =>
  new Promise(resolve => {
    if (window.requestIdleCallback) window.requestIdleCallback(() => resolve(), { timeout: 2000 })
    else setTimeout(resolve)
  })
