import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'
import { useWords } from './words.ts'

/** How long after each failure in a row it is asked for again. */
const waitMs = (failures: number) => Math.min(1000 * 2 ** (failures - 1), 15_000)

/**
 * A component whose code comes by and by, with `meanwhile` in its place. For the parts of a first page: what follows the
 * fallback of a Suspense is held back by React for 300 ms, however soon its code is there.
 */
export const later = <Props extends object>(
  /** Undefined is a failure too: an engine may hand out a module that has not run. */
  load: () => Promise<ComponentType<Props> | undefined>,
  meanwhile: ReactNode = null,
) => {
  let arrived: ComponentType<Props> | undefined
  let coming: Promise<void> | undefined
  const ask = () => {
    const arrive = async () => {
      arrived = await load().catch(() => undefined)
      coming = undefined
    }
    coming ??= arrive()
    return coming
  }
  return (props: Props) => {
    const [Part, setPart] = useState(() => {
      if (!arrived) void ask()
      return arrived
    })
    const [failures, setFailures] = useState(0)
    useEffect(() => {
      if (Part) return
      let gone = false
      const wait = async () => {
        await ask()
        if (gone) return
        if (arrived) startTransition(() => setPart(() => arrived))
        else setFailures(failures + 1)
      }
      const again = failures > 0 ? setTimeout(wait, waitMs(failures)) : void wait()
      return () => {
        gone = true
        clearTimeout(again)
      }
    }, [Part, failures])
    if (Part) return <Part {...props} />
    return failures > 0 ? <Missing /> : meanwhile
  }
}

const Missing = () => (
  <p role="alert" className="safe-bottom p-2 text-center text-sm text-soft">
    {useWords().t('failed.part')}
  </p>
)
