import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { MonitorPlay, Pause, Play, SkipForward, SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { rowsOf } from '../app/cache/pages.ts'
import { Link, useParams } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { EventFailed } from '../events/event-failed.tsx'
import { type Photo, photosQuery } from '../gallery/queries.ts'
import { Button, buttonClass, iconButtonClass } from '../ui/button.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { useRemote, type WallChanges } from './remote.ts'
import { OnScreen, PhotoOfWall } from './remote-photos.tsx'
import { type Wall, wallQuery } from './wall-query.ts'
import { WallSettings } from './wall-settings.tsx'

/** How often this page polls the screen's report. */
const lookEveryMs = 2500

/** An organizer's remote control of the wall: its current photos, and its next ones. */
export const RemotePage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/remote')
  const { data: wall, ...reading } = useQuery(wallQuery(eventId, lookEveryMs))
  const list = useInfiniteQuery(photosQuery(eventId))
  const photos = rowsOf(list.data, ({ id }) => id).filter(({ extra }) => !extra.hidden && !extra.waiting)
  const { change, mark } = useRemote(eventId)
  return (
    <>
      <title>{`${t('wall.title')} · Afterglow`}</title>
      <PageHeader
        title={t('wall.title')}
        back={{ to: '/events/:eventId', params: { eventId } }}
        actions={
          <Link
            href={`/events/${eventId}/edit#settings`}
            aria-label={t('eventForm.settings')}
            className={iconButtonClass}
          >
            <SlidersHorizontal />
          </Link>
        }
      />
      <div className="mx-auto grid max-w-2xl grid-cols-1 gap-6 px-4 py-4">
        {!wall && reading.isPending && <SkeletonRows rows={4} />}
        {!wall && reading.isError && <EventFailed error={reading.error} retry={() => void reading.refetch()} />}
        {wall && (
          <>
            <OnScreen eventId={eventId} wall={wall} photos={photos} onMark={mark} />
            <PauseAndNext wall={wall} onChange={change} />
            <WallSettings wall={wall} onChange={change} />
            <Link
              to="/events/:eventId/wall"
              params={{ eventId }}
              className={buttonClass('quiet', 'normal', 'justify-self-start')}
            >
              <MonitorPlay className="size-5 shrink-0" />
              {t('wall.here')}
            </Link>
            {photos.length > 0 && (
              <PhotosToPick
                wall={wall}
                photos={photos}
                onShow={shown => change({ shown_photo_id: shown })}
                onMark={mark}
              >
                <LoadMore
                  more={list.hasNextPage}
                  loading={list.isFetchingNextPage}
                  load={() => void list.fetchNextPage()}
                />
              </PhotosToPick>
            )}
          </>
        )}
      </div>
    </>
  )
}

const PauseAndNext = ({ wall, onChange }: { wall: Wall; onChange(wish: WallChanges): void }) => {
  const { t } = useWords()
  return (
    <div className="grid grid-cols-2 gap-3">
      <Button
        size="large"
        look="soft"
        icon={wall.wall_paused ? <Play /> : <Pause />}
        onClick={() => onChange({ wall_paused: !wall.wall_paused })}
      >
        {wall.wall_paused ? t('wall.play') : t('wall.pause')}
      </Button>
      <Button
        size="large"
        icon={<SkipForward className="rtl:-scale-x-100" />}
        onClick={() => onChange({ wall_turn: wall.wall_turn + 1 })}
      >
        {t('wall.next')}
      </Button>
    </div>
  )
}

type PickProps = {
  wall: Wall
  photos: readonly Photo[]
  onShow(photoId: number): void
  onMark: ReturnType<typeof useRemote>['mark']
  children: ReactNode
}

const PhotosToPick = ({ wall, photos, onShow, onMark, children }: PickProps) => {
  const { t } = useWords()
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="font-display text-xl font-semibold">{t('wall.pick')}</h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-2">
        {photos.map(photo => (
          <PhotoOfWall
            key={photo.id}
            photo={photo}
            wall={wall}
            onShow={() => onShow(Number(photo.id))}
            onMark={onMark}
          />
        ))}
      </ul>
      {children}
    </section>
  )
}
