import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { MonitorPlay, Pause, Play, SkipForward } from 'lucide-react'
import { rowsOf } from '../app/cache/pages.ts'
import { Link, useParams } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { EventFailed } from '../events/event-failed.tsx'
import { photosQuery } from '../gallery/queries.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Choice } from '../ui/field.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'
import { useRemote, type Wish } from './remote.ts'
import { OnScreen, PhotoOfWall } from './remote-photos.tsx'
import { type Wall, wallQuery } from './wall-query.ts'

/** How soon what a screen says is seen here. */
const lookEveryMs = 2500

/** The wall in an organizer's hand: what is on it, and what it shows next. */
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
      <PageHeader title={t('wall.title')} back={{ to: '/events/:eventId', params: { eventId } }} backOnDesktop />
      <div className="mx-auto grid max-w-2xl grid-cols-1 gap-6 px-4 py-4">
        {!wall && reading.isPending && <SkeletonRows rows={4} />}
        {!wall && reading.isError && <EventFailed error={reading.error} retry={() => void reading.refetch()} />}
        {wall && (
          <>
            <OnScreen eventId={eventId} wall={wall} photos={photos} onMark={mark} />
            <div className="grid grid-cols-2 gap-3">
              <Button
                size="large"
                look="soft"
                icon={wall.wall_paused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
                onClick={() => change({ wall_paused: !wall.wall_paused })}
              >
                {wall.wall_paused ? t('wall.play') : t('wall.pause')}
              </Button>
              <Button
                size="large"
                icon={<SkipForward className="rtl:-scale-x-100" aria-hidden="true" />}
                onClick={() => change({ wall_turn: wall.wall_turn + 1 })}
              >
                {t('wall.next')}
              </Button>
            </div>
            <Settings wall={wall} onChange={change} />
            <Link
              to="/events/:eventId/wall"
              params={{ eventId }}
              className={buttonClass('quiet', 'normal', 'justify-self-start')}
            >
              <MonitorPlay className="size-5 shrink-0" aria-hidden="true" />
              {t('wall.here')}
            </Link>
            {photos.length > 0 && (
              <section className="grid grid-cols-1 gap-3">
                <h2 className="font-display text-lg font-semibold">{t('wall.pick')}</h2>
                <ul className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-2">
                  {photos.map(photo => (
                    <PhotoOfWall
                      key={photo.id}
                      photo={photo}
                      wall={wall}
                      onShow={() => change({ shown_photo_id: Number(photo.id) })}
                      onMark={mark}
                    />
                  ))}
                </ul>
                <LoadMore
                  more={list.hasNextPage}
                  loading={list.isFetchingNextPage}
                  load={() => void list.fetchNextPage()}
                />
              </section>
            )}
          </>
        )}
      </div>
    </>
  )
}

const layouts = ['one', 'pairs', 'mosaic'] as const
const choices = ['all', 'liked', 'chosen'] as const
const speeds = [3, 5, 7, 10, 15, 30, 60, 120]

const Settings = ({ wall, onChange }: { wall: Wall; onChange(wish: Wish): void }) => {
  const { t } = useWords()
  const seconds = [...new Set([...speeds, wall.wall_seconds])].toSorted((one, other) => one - other)
  return (
    <div className="grid grid-cols-1 gap-4">
      <Choice
        label={t('wall.layout')}
        value={wall.wall_layout}
        onChange={event => onChange({ wall_layout: event.target.value as Wall['wall_layout'] })}
      >
        {layouts.map(layout => (
          <option key={layout} value={layout}>
            {t(`wall.layouts.${layout}`)}
          </option>
        ))}
      </Choice>
      <Choice
        label={t('wall.speed')}
        value={wall.wall_seconds}
        onChange={event => onChange({ wall_seconds: Number(event.target.value) })}
      >
        {seconds.map(count => (
          <option key={count} value={count}>
            {t('wall.seconds', { count })}
          </option>
        ))}
      </Choice>
      <Choice
        label={t('wall.which')}
        value={wall.wall_photos}
        onChange={event => onChange({ wall_photos: event.target.value as Wall['wall_photos'] })}
      >
        {choices.map(choice => (
          <option key={choice} value={choice}>
            {t(`wall.whichOf.${choice}`)}
          </option>
        ))}
      </Choice>
      <Switch
        label={t('wall.messages')}
        checked={wall.wall_messages}
        onChange={wall_messages => onChange({ wall_messages })}
      />
    </div>
  )
}
