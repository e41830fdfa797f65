import { isRawName, kindOf } from '@afterglow/sdk/files'
import { ImagePlus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useWords } from '../../app/words.ts'
import { IconButton } from '../../ui/button.tsx'
import { sayProblem } from '../../ui/layers/toasts.ts'
import { Preview } from './pending-message.tsx'
import { isFilm } from './pending-messages.ts'

export const picturesMax = 10

/** Pictures that the service would refuse: reported at once. */
const unfit = async (pictures: readonly File[]): Promise<File[]> => {
  const { tooBig } = await import('../../app/net/upload-limits.ts')
  const problems = await Promise.all(pictures.map(picture => tooBig(picture, 'attachment')))
  const left = pictures.filter((_, at) => problems[at])
  if (left.length > 0) sayProblem(`${left.map(({ name }) => name).join(', ')}: ${problems.find(Boolean)}`)
  return left
}

/** The attachments of the message: up to ten pictures, or a film alone. */
export const useChosenPictures = () => {
  const { t } = useWords()
  const [pictures, setPictures] = useState<File[]>([])
  // Attached before their size is checked: a user who sends at once sends them too.
  const add = async (added: readonly File[]) => {
    const [film] = added.filter(isFilm)
    if (film || pictures.some(isFilm)) {
      if (added.length + pictures.length > 1) return sayProblem(t('composer.filmAlone'))
      setPictures([...added])
      const problem = film && (await (await import('../../app/net/upload-limits.ts')).tooBig(film, 'video'))
      if (problem) {
        setPictures([])
        sayProblem(problem)
      }
      return
    }
    const chosen = added.filter(file => kindOf(file) === 'photo' && !isRawName(file.name))
    setPictures(pictures => [...pictures, ...chosen].slice(0, picturesMax))
    if (pictures.length + chosen.length > picturesMax) sayProblem(t('composer.tooMany', { count: picturesMax }))
    const left = await unfit(chosen)
    setPictures(pictures => pictures.filter(picture => !left.includes(picture)))
  }
  const drop = (picture: File) => setPictures(pictures.filter(each => each !== picture))
  return { pictures, add, drop, clear: () => setPictures([]) }
}

type ChosenProps = { pictures: readonly File[]; onDrop(picture: File): void }
export const ChosenPictures = ({ pictures, onDrop }: ChosenProps) => {
  const { t } = useWords()
  return (
    <ul className="mb-2 flex gap-2 overflow-x-auto p-1">
      {pictures.map((picture, at) => (
        <li
          key={`${picture.name} ${picture.lastModified} ${picture.size}`}
          className="relative w-20 shrink-0 overflow-hidden rounded-xl"
        >
          <Preview picture={picture} />
          <button
            type="button"
            aria-label={t('composer.without', { number: at + 1 })}
            onClick={() => onDrop(picture)}
            className="absolute end-1 top-1 grid size-7 place-items-center rounded-full bg-black/65 text-white"
          >
            <X className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  )
}

export const ChoosePictures = ({ onChoose }: { onChoose(files: File[]): void }) => {
  const { t } = useWords()
  const files = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={files}
        type="file"
        accept="image/*,video/*,.heic,.heif,.mov"
        multiple
        hidden
        onChange={event => {
          onChoose([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <IconButton label={t('composer.pictures')} onClick={() => files.current?.click()}>
        <ImagePlus />
      </IconButton>
    </>
  )
}
