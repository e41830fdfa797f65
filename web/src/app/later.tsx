import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'
import { useWords } from './words.ts'

/** From a failure until it is asked for again. */
const againAfterMs = 2000

/** Undefined is a failure too: an engine may hand out a module that has not run. */
type Load<Props> = () => Promise<ComponentType<Props> | undefined>

/**
 * A component whose code comes by and by, with `meanwhile` in its place. Instead of Suspense: what follows its fallback is
 * held back by React for 300 ms, however soon its code is there, and a page ends when the code cannot be had.
 */
export const later = <Props extends object>(
  load: Load<Props>,
  meanwhile: ReactNode = null,
  /** In its place while it cannot be had; it is asked for again and again. */
  missing: ReactNode | ((props: Props) => ReactNode) = <Missing />,
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
    if (failures === 0) return meanwhile
    return typeof missing === 'function' ? missing(props) : missing
  }
}

type Overlay = {
  onClose(): void
  /** Of a menu that is kept after it was closed: undefined then. */
  openedBy?: unknown
}

/** A menu or dialog: while its code cannot be had a sentence says so, until that is closed or the overlay can open. */
export const overlay = <Props extends Overlay>(load: Load<Props>) =>
  later<Props>(load, null, props => <MissingOverlay {...props} />)

function MissingOverlay({ onClose, ...menu }: Overlay) {
  const { t } = useWords()
  if ('openedBy' in menu && menu.openedBy === undefined) return null
  return (
    <div className="fixed inset-x-3 bottom-20 z-60 mx-auto flex max-w-md items-center justify-between gap-2 rounded-2xl bg-card shadow-card lg:bottom-6">
      <Missing />
      <button type="button" className="touch p-2 font-semibold" onClick={onClose}>
        {t('common.close')}
      </button>
    </div>
  )
}

function Missing() {
  return (
    <p role="alert" className="p-2 text-center text-soft">
      {useWords().t('failed.part')}
    </p>
  )
}
