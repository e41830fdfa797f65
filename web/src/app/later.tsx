import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'

/**
 * A component whose code comes by and by, with `meanwhile` in its place. For the parts of a first page: what follows the
 * fallback of a Suspense is held back by React for 300 ms, however soon its code is there.
 */
export const later = <Props extends object>(load: () => Promise<ComponentType<Props>>, meanwhile: ReactNode = null) => {
  let arrived: ComponentType<Props> | undefined
  let coming: Promise<void> | undefined
  const arrive = async () => {
    try {
      arrived = await load()
    } catch (fault) {
      // Who is shown it again asks again.
      coming = undefined
      throw fault
    }
  }
  return (props: Props) => {
    const [Part, setPart] = useState(() => arrived)
    const [fault, setFault] = useState<unknown>()
    if (!Part) coming ??= arrive()
    useEffect(() => {
      if (!Part) coming?.then(() => startTransition(() => setPart(() => arrived)), setFault)
    }, [Part])
    if (fault) throw fault
    return Part ? <Part {...props} /> : meanwhile
  }
}
