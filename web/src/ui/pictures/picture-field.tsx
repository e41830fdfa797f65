import { Camera, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useWords } from '../../app/words.ts'
import { Button } from '../button.tsx'

type Props = {
  label: string
  /** The picture before another is chosen. */
  shown?: string | undefined
  error?: string | undefined
  /** Without a file, the chosen one is too big. */
  onChoose(file: File | undefined): void
  onRemove?: () => void
}

/** Chooses a picture and shows the choice at once. */
export const PictureField = ({ label, shown, error, onChoose, onRemove }: Props) => {
  const { t } = useWords()
  const { chosen, problem, choose } = useChosen(onChoose)
  const src = chosen ?? shown
  return (
    <fieldset className="flex flex-wrap items-center gap-4">
      <legend className="sr-only">{label}</legend>
      <div className="grid size-24 shrink-0 place-items-center overflow-hidden rounded-full bg-sunken">
        {src ? <img src={src} alt="" className="size-full object-cover" /> : <Camera className="size-8 text-soft" />}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <ChoosePicture onChoose={choose} />
        {onRemove && (
          <Button look="bare" size="small" icon={<Trash2 className="size-4.5" />} onClick={onRemove}>
            {t('picture.remove')}
          </Button>
        )}
      </div>
      {(problem ?? error) && (
        <p role="alert" className="text-sm font-medium text-bad">
          {problem ?? error}
        </p>
      )}
    </fieldset>
  )
}

/** Opens the device's pictures. */
export const ChoosePicture = ({ className, onChoose }: { className?: string; onChoose(file: File): unknown }) => {
  const { t } = useWords()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file) onChoose(file)
        }}
      />
      <Button
        look="quiet"
        size="small"
        className={className}
        icon={<Camera className="size-4.5" />}
        onClick={() => input.current?.click()}
      >
        {t('picture.choose')}
      </Button>
    </>
  )
}

/** The URL of the chosen picture, or the reason why it was refused. */
export const useChosen = (onChoose: Props['onChoose']) => {
  const latest = useRef<File>(undefined)
  const [chosen, setChosen] = useState<string>()
  const [problem, setProblem] = useState<string>()
  // Delayed, as an image that is still loading would lose it.
  useEffect(() => () => void (chosen && setTimeout(() => URL.revokeObjectURL(chosen), 9999)), [chosen])
  const take = (file: File | undefined, problem?: string) => {
    latest.current = file
    setChosen(file && URL.createObjectURL(file))
    setProblem(problem)
    onChoose(file)
  }
  // Accepted before its size is checked: a user who saves at once saves it too, and the service gives the same message.
  const choose = async (file: File) => {
    take(file)
    const { tooBig } = await import('../../app/net/upload-limits.ts')
    const found = await tooBig(file, 'attachment')
    if (found && latest.current === file) take(undefined, found)
  }
  return { chosen, problem, choose, forget: () => take(undefined) }
}
