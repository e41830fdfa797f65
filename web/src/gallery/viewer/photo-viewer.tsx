import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Dialog } from 'radix-ui'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react'
import { rowsOf } from '../../app/cache/pages.ts'
import { count } from '../../app/date-format.ts'
import { listen } from '../../app/net/channel-listeners.ts'
import { goBack, useLayer } from '../../app/router/history.ts'
import { navigate, useParams } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { eventQuery } from '../../events/queries.ts'
import { nameOf } from '../../people/names.ts'
import { Button } from '../../ui/button.tsx'
import { Failed } from '../../ui/failed.tsx'
import { say } from '../../ui/layers/toasts.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useAlt } from '../alt.ts'
import { searchOf, useShowing } from '../own-sort.ts'
import { type Photo, photoQuery, photosQuery } from '../queries.ts'
import { stepOf } from './arrow-keys.ts'
import { PhotoStage } from './lightbox.tsx'
import { PhotoBars } from './photo-bars.tsx'
import { PhotoPanel } from './photo-panel.tsx'
import { shotOf } from './shot.ts'
import { moveBack, stageIsDrawn } from './view-transition.ts'

const wide = matchMedia('(min-width: 64rem)')

/** How close to the end of the loaded photos more are requested. */
const nearEnd = 5

/** One photo in large over its album, with its comments. */
export const PhotoViewer = () => {
  const { t } = useWords()
  const { eventId, photoId } = useParams('/events/:eventId/photos/:photoId')
  const showing = useShowing()
  const { data: event } = useQuery(eventQuery(eventId))
  const list = useInfiniteQuery(photosQuery(eventId, showing))
  const photos = useMemo(() => rowsOf(list.data, ({ id }) => id), [list.data])
  const at = photos.findIndex(({ id }) => id === photoId)
  const alone = useQuery({ ...photoQuery(photoId), enabled: at < 0 && !list.isPending })
  const shown = photos[at] ?? alone.data
  const [talking, setTalking] = useState(wide.matches)
  const all = useMemo(() => (at >= 0 ? photos : alone.data ? [alone.data] : []), [at, photos, alone.data])
  const shots = useShots(all)
  const alt = useAlt(shown)
  const position =
    at >= 0 && !list.hasNextPage && !list.hasPreviousPage
      ? t('photo.position', { number: count(at + 1), total: count(photos.length) })
      : undefined

  const go = (id: string | undefined) => {
    if (id === undefined || id === photoId) return
    const to = '/events/:eventId/photos/:photoId'
    const params = { eventId, photoId: id }
    void navigate({ to, params, search: searchOf(showing), replace: true, scrolls: false })
  }
  const close = () => moveBack(photoId, () => goBack(`/events/${eventId}/photos${location.search}`))
  useLayer(() => setTalking(false), talking && !wide.matches)
  useLayoutEffect(() => stageIsDrawn, [])
  const leave = () => {
    const next = photos[at + 1] ?? photos[at - 1]
    if (next) go(next.id)
    else close()
  }

  useNeighbours(list, at, photos.length)
  useGone(photoId, close)

  return (
    <Dialog.Root open onOpenChange={open => !open && close()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={event => {
            event.preventDefault()
            ;(event.currentTarget as HTMLElement | null)?.focus()
          }}
          onCloseAutoFocus={event => {
            event.preventDefault()
            document.querySelector<HTMLElement>(`[data-photo="${photoId}"]`)?.focus({ preventScroll: true })
          }}
          // It covers the screen. What a finger meets outside is the photo that still moves out of its tile, or a notice.
          onInteractOutside={event => event.preventDefault()}
          onKeyDown={event => {
            const typing = (event.target as HTMLElement).closest('input, textarea, select, video, .yarl__container')
            const step = stepOf(event.key)
            if (!typing && step) go(photos[at + step]?.id)
          }}
          className="fixed inset-0 z-50 flex animate-fade flex-col outline-none lg:flex-row"
        >
          <Dialog.Title className="sr-only">{alt}</Dialog.Title>
          <p role="status" className="sr-only">
            {position}
          </p>
          <div className="relative min-h-0 flex-1 overflow-hidden text-white">
            {shown ? (
              <PhotoStage shots={shots} at={Math.max(at, 0)} onView={index => go(all[index]?.id)} onClose={close} />
            ) : (
              <Missing error={alone.error} retry={() => void alone.refetch()} onClose={close} />
            )}
            <PhotoBars
              photo={shown}
              shot={shots[Math.max(at, 0)]}
              position={position}
              talking={talking}
              talks={event?.extra.may.browse !== false}
              onTalk={() => setTalking(!talking)}
              onGone={leave}
            />
          </div>
          {shown && talking && (
            <PhotoPanel key={shown.id} photo={shown} eventId={eventId} onClose={() => setTalking(false)} />
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const useShots = (photos: readonly Photo[]) => {
  const { t } = useWords()
  return useMemo(
    () =>
      photos.map(photo => {
        const { extra, taken_by } = photo
        return shotOf(photo, extra.alt_text ?? extra.caption ?? t('gallery.photoBy', { name: nameOf(taken_by) }))
      }),
    [photos, t],
  )
}

type Pages = Pick<
  UseInfiniteQueryResult,
  | 'hasNextPage'
  | 'isFetchingNextPage'
  | 'fetchNextPage'
  | 'hasPreviousPage'
  | 'isFetchingPreviousPage'
  | 'fetchPreviousPage'
>
/** More of the album is there before whoever looks through it reaches an end. */
const useNeighbours = (list: Pages, at: number, loaded: number) => {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const { hasPreviousPage, isFetchingPreviousPage, fetchPreviousPage } = list
  useEffect(() => {
    if (at >= loaded - nearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [at, loaded, hasNextPage, isFetchingNextPage, fetchNextPage])
  useEffect(() => {
    if (at >= 0 && at < nearEnd && hasPreviousPage && !isFetchingPreviousPage) void fetchPreviousPage()
  }, [at, hasPreviousPage, isFetchingPreviousPage, fetchPreviousPage])
}

/** Says that the photo was deleted meanwhile, and closes it. */
const useGone = (photoId: string, close: () => void) => {
  const { t } = useWords()
  const closeGone = useEffectEvent(close)
  useEffect(
    () =>
      listen(({ kind, payload }) => {
        if (kind !== 'photo.deleted' || payload.id !== photoId) return
        say(t('photo.gone'))
        closeGone()
      }),
    [photoId, t],
  )
}

type MissingProps = { error: unknown; retry(): void; onClose(): void }
/** In the photo's place while it loads, or when there is none. */
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
