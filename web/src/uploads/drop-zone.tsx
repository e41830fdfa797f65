import { ImageDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Intake, ofTransfer } from './intake.ts'

type Props = {
  /** The effect of a drop. */
  label: string
  onTake(taken: Intake): void
}

const hasFiles = (transfer: DataTransfer | null) => transfer?.types.includes('Files') ?? false
const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Accepts files dropped anywhere on the page, or pasted outside a field. */
export const DropZone = ({ label, onTake }: Props) => {
  const [over, setOver] = useState(false)
  const latest = useRef(onTake)
  latest.current = onTake
  useEffect(() => {
    const taken = (transfer: DataTransfer) => void ofTransfer(transfer).then(intake => latest.current(intake))
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return
      // Otherwise the browser would open the file instead of the page.
      event.preventDefault()
      const blocked = document.querySelector('[role=dialog]') !== null
      if (event.dataTransfer) event.dataTransfer.dropEffect = blocked ? 'none' : 'copy'
      setOver(!blocked)
    }
    const onLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false)
    const onDrop = (event: DragEvent) => {
      setOver(false)
      if (!event.dataTransfer || !hasFiles(event.dataTransfer)) return
      event.preventDefault()
      taken(event.dataTransfer)
    }
    const onPaste = (event: ClipboardEvent) => {
      if (!event.clipboardData?.files.length || isField(event.target) || document.querySelector('[role=dialog]')) return
      event.preventDefault()
      taken(event.clipboardData)
    }
    addEventListener('dragenter', onOver)
    addEventListener('dragover', onOver)
    addEventListener('dragleave', onLeave)
    addEventListener('drop', onDrop)
    addEventListener('paste', onPaste)
    return () => {
      removeEventListener('dragenter', onOver)
      removeEventListener('dragover', onOver)
      removeEventListener('dragleave', onLeave)
      removeEventListener('drop', onDrop)
      removeEventListener('paste', onPaste)
    }
  }, [])
  if (!over) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid animate-fade place-items-center bg-veil p-4">
      <p className="flex items-center gap-3 rounded-2xl border-2 border-dashed border-ember bg-card px-8 py-6 text-xl font-semibold shadow-float">
        <ImageDown className="size-7 text-ember" />
        {label}
      </p>
    </div>
  )
}
