/** Creates a value on its first use, once for everybody. A failure is not kept: the next use tries again. */
export const onFirstUse = <Value>(create: () => Promise<Value>): (() => Promise<Value>) => {
  let created: Promise<Value> | undefined
  return () => {
    created ??= create().catch(fault => {
      created = undefined
      throw fault
    })
    return created
  }
}
