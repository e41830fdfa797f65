import { Camera, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useWords } from '../../app/words.ts'
import { Button } from '../button.tsx'

type Props = {
  label: string
  /** The picture before another is chosen. */
  shown?: string | undefined
  round?: boolean
  error?: string | undefined
  /** Without a file, the chosen one is too big. */
  onChoose(file: File | undefined): void
  onRemove?: () => void
}

/** Chooses a picture and shows the choice at once. */
export const PictureField = ({ label, shown, round, error, onChoose, onRemove }: Props) => {
  const { t } = useWords()
  const input = useRef<HTMLInputElement>(null)
  const { chosen, problem, choose } = useChosen(onChoose)
  const src = chosen ?? shown
  const frame = round ? 'size-24 rounded-full' : 'aspect-[16/9] w-full rounded-2xl'
  return (
    <fieldset className={round ? 'flex flex-wrap items-center gap-4' : 'grid gap-3'}>
      <legend className="sr-only">{label}</legend>
      <div className={`grid shrink-0 place-items-center overflow-hidden bg-sunken ${frame}`}>
        {src ? (
          <img src={src} alt="" className="size-full object-cover" />
        ) : (
          <Camera className="size-8 text-soft" aria-hidden="true" />
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          onChange={event => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void choose(file)
          }}
        />
        <Button
          look="quiet"
          size="small"
          icon={<Camera className="size-4.5" aria-hidden="true" />}
          onClick={() => input.current?.click()}
        >
          {t('picture.choose')}
        </Button>
        {onRemove && (
          <Button look="bare" size="small" icon={<Trash2 className="size-4.5" aria-hidden="true" />} onClick={onRemove}>
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
