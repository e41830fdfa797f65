import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'
import { useWords } from './words.ts'

/** From a failure until it is asked for again. */
const againAfterMs = 2000

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
    coming ??= load()
      .catch(() => undefined)
      .then(part => {
        arrived = part
        coming = undefined
      })
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
      const wait = async () => {
        await ask()
        if (arrived) startTransition(() => setPart(() => arrived))
        else setFailures(failures + 1)
      }
      if (failures === 0) return void wait()
      const again = setTimeout(wait, againAfterMs)
      return () => clearTimeout(again)
    }, [Part, failures])
    if (Part) return <Part {...props} />
    return failures > 0 ? <Missing /> : meanwhile
  }
}

const Missing = () => (
  <p role="alert" className="p-2 text-center text-soft">
    {useWords().t('failed.part')}
  </p>
)
