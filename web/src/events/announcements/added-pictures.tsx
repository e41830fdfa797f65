import { ImagePlus, X } from 'lucide-react'
import { useRef } from 'react'
import { useWords } from '../../app/words.ts'
import { Button } from '../../ui/button.tsx'
import { useObjectUrl } from '../../ui/pictures/object-url.ts'

type Props = {
  added: readonly File[]
  /** How many there may be. */
  room: number
  error: string | undefined
  onChange(added: readonly File[]): void
}

/** Pictures of one's own to announce: they come into the album as well. */
export const AddedPictures = ({ added, room, error, onChange }: Props) => {
  const { t } = useWords()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="grid gap-2">
      {added.length > 0 && (
        <ul className="grid grid-cols-3 gap-2">
          {added.map(file => (
            <AddedPicture
              key={`${file.name} ${file.size} ${file.lastModified}`}
              file={file}
              onLeaveOut={() => onChange(added.filter(each => each !== file))}
            />
          ))}
        </ul>
      )}
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={({ target }) => {
          onChange([...added, ...(target.files ?? [])].slice(0, room))
          target.value = ''
        }}
      />
      {added.length < room && (
        <Button
          look="quiet"
          className="justify-self-start"
          icon={<ImagePlus className="size-5" aria-hidden="true" />}
          onClick={() => input.current?.click()}
        >
          {t('announce.add')}
        </Button>
      )}
      {added.length > 0 && <p className="text-sm text-soft">{t('announce.toAlbum')}</p>}
      {error && (
        <p role="alert" className="text-sm font-medium text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

/** One that this browser cannot show, such as a HEIC, is its name. */
const AddedPicture = ({ file, onLeaveOut }: { file: File; onLeaveOut(): void }) => {
  const { t } = useWords()
  const src = useObjectUrl(file)
  return (
    <li className="relative">
      <div className="aspect-square overflow-hidden rounded-xl bg-sunken text-xs wrap-anywhere">
        {src && <img src={src} alt={file.name} className="size-full object-cover" />}
      </div>
      <button
        type="button"
        aria-label={t('announce.leaveOut', { name: file.name })}
        onClick={onLeaveOut}
        className="absolute end-1 top-1 grid size-8 place-items-center rounded-full bg-black/60 text-white"
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </li>
  )
}
