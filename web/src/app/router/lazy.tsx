import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'
import { useWords } from '../words.ts'
import { againAfterMs, onDemand } from './on-demand.ts'

type Load<Props> = () => Promise<ComponentType<Props> | undefined>

/**
 * A component whose code is loaded on demand, with `meanwhile` in its place. Instead of Suspense: React holds back what
 * follows its fallback for 300 ms, however soon the code arrives, and a page crashes if the code cannot be loaded.
 */
export const lazy = <Props extends object>(
  load: Load<Props>,
  meanwhile: ReactNode = null,
  /** Shown while it cannot be loaded; it is requested again and again. */
  missing: ReactNode | ((props: Props) => ReactNode) = <MissingPart />,
) => {
  const code = onDemand(load)
  const ask = () => code.request().catch(() => {})
  return (props: Props) => {
    const [Part, setPart] = useState(() => {
      if (!code.arrived()) void ask()
      return code.arrived()
    })
    const [failures, setFailures] = useState(0)
    useEffect(() => {
      if (Part) return
      const wait = async () => {
        await ask()
        if (code.arrived()) startTransition(() => setPart(code.arrived))
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
  /** For a menu kept after it was closed: undefined then. */
  openedBy?: unknown
}

/**
 * A menu or dialog: while its code cannot be loaded, a sentence says so, until that is closed or the overlay can open.
 */
export const overlay = <Props extends Overlay>(load: Load<Props>) =>
  lazy<Props>(load, null, props => <MissingOverlay {...props} />)

function MissingOverlay({ onClose, ...menu }: Overlay) {
  const { t } = useWords()
  if ('openedBy' in menu && menu.openedBy === undefined) return null
  return (
    <div className="fixed inset-x-3 bottom-37 z-60 mx-auto flex max-w-md items-center justify-between gap-2 rounded-2xl bg-card shadow-card lg:bottom-22">
      <MissingPart />
      <button type="button" className="touch p-2 font-semibold" onClick={onClose}>
        {t('common.close')}
      </button>
    </div>
  )
}

/** Code that could not be loaded, and is requested again. */
export function MissingPart() {
  return (
    <p role="alert" className="p-2 text-center text-soft">
      {useWords().t('failed.part')}
    </p>
  )
}

/** A page or a part of one that cannot be shown. */
export function BrokenPart() {
  return (
    <p role="alert" className="p-4 text-center text-soft">
      {useWords().t('failed.broken')}
    </p>
  )
}
