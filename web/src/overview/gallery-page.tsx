import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSettled } from '../app/idle.ts'
import { navigate, Outlet, useParams } from '../app/router/router.tsx'
import { noLongerOnlyAdds, session } from '../app/session.ts'
import { useStore } from '../app/store.ts'
import { toggled } from '../app/toggled.ts'
import { viewing } from '../app/viewing.ts'
import { useWords } from '../app/words.ts'
import { isIn, onlyAdds } from '../events/event-words.ts'
import { type Event, eventQuery } from '../events/queries.ts'
import { RevealLine } from '../events/reveal-line.tsx'
import { GalleryBar } from '../gallery/bar/gallery-bar.tsx'
import { NoPhotos } from '../gallery/no-photos.tsx'
import { ownPhotos } from '../gallery/own-photos.ts'
import { PhotoGrid } from '../gallery/photo-grid.tsx'
import { photosQuery } from '../gallery/queries.ts'
import { SelectionBar } from '../gallery/selection-bar.tsx'
import { useShowing } from '../gallery/sort-preference.ts'
import { AlbumTimeline, type Counts } from '../gallery/timeline/album-timeline.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AddPhotos, atThumb } from '../uploads/add-photos.tsx'
import { UploadTray } from '../uploads/upload-tray.tsx'
import { AdderHead } from './adder-head.tsx'

const uncounted: Counts = { total: undefined, days: new Map() }
const nothing: ReadonlySet<string> = new Set()

export const GalleryPage = () => {
  const { t } = useWords()
  const { eventId } = useParams('/events/:eventId/photos')
  const showing = useShowing()
  const looking = useStore(viewing) !== undefined
  const { data: event } = useQuery(eventQuery(eventId))
  const list = useInfiniteQuery(photosQuery(eventId, showing))
  const adds = event !== undefined && onlyAdds(event)
  const ownAlone = useOwnAlone(eventId, event, showing.by)
  const files = useRef<HTMLInputElement>(null)
  const settled = useSettled()
  const { chosen, setChosen, toggle } = useSelection()
  const [{ total, days }, setCounts] = useState<Counts>(uncounted)
  const empty = list.data?.pages.every(({ data }) => data.length === 0)
  return (
    <>
      <title>{`${t('gallery.title')} · ${event?.event_name ?? 'Afterglow'}`}</title>
      {adds && <AdderHead event={event} added={total} />}
      {!looking && !adds && (
        <PageHeader
          title={event?.event_name ?? t('gallery.title')}
          back={{ to: '/events/:eventId', params: { eventId } }}
        />
      )}
      {!list.isError && !(empty && (ownAlone || !showing.by)) && (
        <GalleryBar
          eventId={eventId}
          showing={showing}
          total={total}
          first={list.data?.pages[0]?.data[0]}
          onSelect={() => setChosen(nothing)}
        />
      )}
      {/* As high as the page, so that of a short album too the button is where a thumb reaches it. */}
      <div
        className={`min-h-[calc(100dvh-16rem)] px-1 lg:min-h-[calc(100dvh-12rem)] lg:px-4 ${chosen ? 'pb-24' : 'pb-4'}`}
      >
        {event && <RevealLine event={event} className="px-3 py-2" />}
        {ownAlone && !adds && <p className="px-3 py-2 text-pretty text-soft">{t('gallery.forComing')}</p>}
        {settled && <AlbumTimeline {...{ eventId, showing, list }} away={!!chosen} onCounts={setCounts} />}
        {list.isPending && list.fetchStatus !== 'paused' ? (
          <Placeholders />
        ) : !list.data || empty ? (
          <NoPhotos
            error={list.data ? undefined : list.error}
            retry={() => void list.refetch()}
            event={event?.extra.may.upload && (ownAlone || !showing.by) ? event : undefined}
            onAdd={() => files.current?.click()}
          />
        ) : (
          <PhotoGrid
            key={JSON.stringify(showing)}
            listed={list.data}
            eventId={eventId}
            showing={showing}
            dayCounts={days}
            selecting={chosen !== undefined}
            selected={chosen ?? nothing}
            onSelect={toggle}
          />
        )}
        <LoadMore more={list.hasNextPage} loading={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />
      </div>
      {event?.extra.may.upload && !chosen && (
        <AddPhotos eventId={eventId} input={files} className={`${atThumb} px-3`} />
      )}
      {settled && !looking && <UploadTray eventId={eventId} />}
      {chosen && list.data && (
        <SelectionBar listed={list.data} chosen={chosen} onChoose={setChosen} onEnd={() => setChosen(undefined)} />
      )}
      <Outlet />
    </>
  )
}

/** Takes viewers who see no other photos to their own. Returns true for them. */
const useOwnAlone = (eventId: number, event: Event | undefined, by: number | undefined) => {
  const me = useStore(session)?.userId
  const ownAlone = event?.extra.may.upload === true && !event.extra.may.album
  useEffect(() => {
    if (ownAlone && me !== undefined && by !== me) void navigate({ href: ownPhotos(eventId, me), replace: true })
    if (event && isIn(event)) noLongerOnlyAdds()
  }, [ownAlone, me, by, eventId, event])
  return ownAlone
}

/** The selected photos, while selecting. */
const useSelection = () => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const toggle = useCallback((id: string) => setChosen(before => toggled(before ?? nothing, id)), [])
  return { chosen, setChosen, toggle }
}

const Placeholders = () => (
  <div className="grid grid-cols-3 gap-1 pt-2 sm:grid-cols-4 lg:grid-cols-6 lg:gap-2">
    {Array.from({ length: 12 }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: places without content have nothing else.
      <Skeleton key={at} className="aspect-square rounded-xl" />
    ))}
  </div>
)
