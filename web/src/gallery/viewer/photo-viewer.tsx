import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { listen } from '../../app/net/channel-listeners.ts'
import { goBack, useLayer } from '../../app/router/history.ts'
import { useParams } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { eventQuery } from '../../events/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { say } from '../../ui/layers/toasts.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { altOf, useAlt } from '../alt.ts'
import { readsComments } from '../comments/comment-access.ts'
import { PhotoStage } from './lightbox.tsx'
import { deletedHere } from './photo-acts.ts'
import { PhotoFoot } from './photo-foot.tsx'
import { PhotoPanel } from './photo-panel.tsx'
import { PhotoTop } from './photo-top.tsx'
import { shotOf } from './shot.ts'
import { useShownPhoto } from './shown-photo.ts'
import { moveBack, stageIsDrawn } from './view-transition.ts'
import { ViewerDialog } from './viewer-dialog.tsx'

const wide = matchMedia('(min-width: 64rem)')

/** One photo in large over its album, with its comments. */
export const PhotoViewer = () => {
  const { t } = useWords()
  const { eventId, photoId } = useParams('/events/:eventId/photos/:photoId')
  const { data: event } = useQuery(eventQuery(eventId))
  const { photos, at, position, beside, go, error, retry } = useShownPhoto(eventId, photoId)
  const shown = photos[at]
  const shots = useMemo(() => photos.map(photo => shotOf(photo, altOf(photo, t))), [photos, t])
  const [talking, setTalking] = useState(wide.matches)
  useLayer(() => setTalking(false), talking && !wide.matches)
  useLayoutEffect(() => stageIsDrawn, [])
  const close = () => moveBack(photoId, () => goBack(`/events/${eventId}/photos${location.search}`))
  const left = useRef('')
  /** Moves to the photo beside one that was deleted here, which both the channel and the reply announce. */
  const leave = (id: string) => {
    if (id !== photoId || left.current === id) return
    left.current = id
    const next = beside(1) ?? beside(-1)
    if (next) go(next)
    else close()
  }
  useGone(photoId, leave, close)
  return (
    <ViewerDialog
      title={useAlt(shown)}
      className="flex flex-col lg:flex-row"
      onClose={close}
      onStep={step => go(beside(step))}
      onCloseAutoFocus={event => {
        event.preventDefault()
        document.querySelector<HTMLElement>(`[data-photo="${photoId}"]`)?.focus({ preventScroll: true })
      }}
    >
      <p role="status" className="sr-only">
        {position}
      </p>
      <div className="relative min-h-0 flex-1 overflow-hidden text-white">
        {shown ? (
          <PhotoStage shots={shots} at={at} onView={index => go(photos[index])} onClose={close} />
        ) : (
          <Missing error={error} retry={retry} onClose={close} />
        )}
        <PhotoTop photo={shown} shot={shots[at]} position={position} onGone={leave} />
        {shown && (
          <PhotoFoot
            photo={shown}
            talking={talking}
            talks={!event || readsComments(event, shown)}
            onTalk={() => setTalking(!talking)}
          />
        )}
      </div>
      {shown && talking && (
        <PhotoPanel key={shown.id} photo={shown} eventId={eventId} onClose={() => setTalking(false)} />
      )}
    </ViewerDialog>
  )
}

/** Says that the photo was deleted meanwhile, and closes it; except after a deletion on this page. */
const useGone = (photoId: string, leave: (id: string) => void, close: () => void) => {
  const { t } = useWords()
  const leaveDeleted = useEffectEvent(leave)
  const closeGone = useEffectEvent(close)
  useEffect(
    () =>
      listen(({ kind, payload }) => {
        if (kind !== 'photo.deleted' || payload.id !== photoId) return
        if (deletedHere.has(photoId)) return leaveDeleted(photoId)
        say(t('photo.gone'))
        closeGone()
      }),
    [photoId, t],
  )
}

type MissingProps = { error: unknown; retry(): void; onClose(): void }
/** Replaces the photo while it loads, or if there is none. */
const Missing = ({ error, retry, onClose }: MissingProps) => {
  const { t } = useWords()
  return (
    <div className="grid h-full place-items-center bg-black">
      {error ? (
        <Failed
          error={error}
          retry={retry}
          gone={t('photo.gone')}
          goneAction={
            <Button look="soft" onClick={onClose}>
              {t('gallery.title')}
            </Button>
          }
        />
      ) : (
        <Spinner />
      )}
    </div>
  )
}
