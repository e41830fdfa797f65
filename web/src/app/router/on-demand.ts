/** From a failure until code is requested again. */
export const againAfterMs = 2000

/** Loads code on demand: once, however often it is requested meanwhile; again after a failure. */
export const onDemand = <Code>(load: () => Promise<Code | undefined>) => {
  let arrived: Code | undefined
  let coming: Promise<void> | undefined
  return {
    arrived: () => arrived,
    request: (): Promise<void> => {
      coming ??= load()
        .then(code => {
          // An engine may return a module that has not run.
          if (code === undefined) throw new Error('the module has not run')
          arrived = code
        })
        .finally(() => {
          coming = undefined
        })
      return coming
    },
  }
}
export type OnDemand<Code> = ReturnType<typeof onDemand<Code>>
