import { Download } from 'lucide-react'
import type { Photo } from '../queries.ts'
import { nameOfFile, saveLabel, savePhoto } from '../save-files.ts'
import { PhotoMenu } from './photo-menu.tsx'
import { canShare, share } from './share.ts'
import type { Shot } from './shot.ts'
import { RoundButton, ViewerTop } from './viewer-top.tsx'

type Props = {
  photo: Photo | undefined
  shot: Shot | undefined
  /** For example “3 of 20”. */
  position: string | undefined
  onGone(id: string): void
}

/** Over a large photo: close, share or save, and everything else. */
export const PhotoTop = ({ photo, shot, position, onGone }: Props) => {
  const onShare =
    photo && shot && (() => void share({ url: shot.film?.url ?? shot.full, name: nameOfFile(photo), title: shot.alt }))
  return (
    <ViewerTop position={position} onShare={onShare}>
      {photo && !canShare && (
        <RoundButton label={saveLabel(photo.extra.original)} onClick={() => savePhoto(photo)}>
          <Download />
        </RoundButton>
      )}
      {photo && <PhotoMenu photo={photo} onGone={onGone} />}
    </ViewerTop>
  )
}
