import { useQuery } from '@tanstack/react-query'
import { ArrowDownUp, CircleCheck, Download, MonitorPlay, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { navigate } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { eventQuery } from '../../events/queries.ts'
import { DeletedDialog } from '../deleted-dialog.tsx'
import { DownloadDialog } from '../download-dialog.tsx'
import { type PhotoFilter, type Sort, sorts } from '../photo-filter.ts'
import type { Photo } from '../queries.ts'
import { chooseSort, searchOf } from '../sort-preference.ts'
import { NewSince } from './new-since.tsx'
import { PersonPill } from './person-pill.tsx'
import { Pill, pill } from './pill.tsx'

type Props = {
  eventId: number
  showing: PhotoFilter
  /** The number of photos. */
  total: number | undefined
  /** One of those currently shown. */
  first: Photo | undefined
  onSelect(): void
}

/** The choice of photos, their order, and actions on them. */
export const GalleryBar = ({ eventId, showing, total, first, onSelect }: Props) => {
  const { t } = useWords()
  const { from: _, ...kept } = showing
  const person = showing.by === undefined ? undefined : first?.taken_by
  const may = useQuery(eventQuery(eventId)).data?.extra.may
  const [opened, setOpened] = useState<'download' | 'deleted'>()
  const close = () => setOpened(undefined)
  const show = (search: PhotoFilter, replace = true) =>
    void navigate({ to: '/events/:eventId/photos', params: { eventId }, search: searchOf(search), replace })
  return (
    <div className="flex items-center gap-2 overflow-x-auto px-2 py-2 [scrollbar-width:none] lg:px-4">
      {total !== undefined && (
        <p className="shrink-0 ps-1 text-sm font-semibold whitespace-nowrap text-soft">
          {t('gallery.count', { count: total })}
        </p>
      )}
      {may?.album && <NewSince eventId={eventId} className={pill} onShow={() => show({ ...kept, sort: 'newest' })} />}
      <SortPill
        sort={showing.sort ?? 'newest'}
        onChoose={sort => {
          chooseSort(sort)
          show({ ...kept, sort })
        }}
      />
      {may?.read && may.album && (
        <PersonPill {...{ eventId, person }} showing={kept} onShow={search => show(search, false)} />
      )}
      {(may?.browse || may?.upload) && (
        <Pill onClick={onSelect}>
          <CircleCheck />
          {t('gallery.select')}
        </Pill>
      )}
      {(may?.browse || may?.upload) && (
        <Pill onClick={() => setOpened('download')}>
          <Download />
          {t('gallery.download')}
        </Pill>
      )}
      {may?.album && (
        <Pill onClick={() => void navigate({ to: '/events/:eventId/wall', params: { eventId } })}>
          <MonitorPlay />
          {t('wall.title')}
        </Pill>
      )}
      {may?.read && (
        <Pill onClick={() => setOpened('deleted')}>
          <Trash2 />
          {t('deleted.title')}
        </Pill>
      )}
      {opened === 'download' && <DownloadDialog eventId={eventId} person={person} onClose={close} />}
      {opened === 'deleted' && <DeletedDialog eventId={eventId} onClose={close} />}
    </div>
  )
}

const SortPill = ({ sort, onChoose }: { sort: Sort; onChoose(sort: Sort): void }) => {
  const { t } = useWords()
  const id = useId()
  return (
    <span className={`${pill} focus-within:outline-2 focus-within:outline-ember`}>
      <ArrowDownUp />
      <label htmlFor={id} className="sr-only">
        {t('gallery.order')}
      </label>
      <select
        id={id}
        value={sort}
        onChange={event => onChoose(event.target.value as Sort)}
        className="field-sizing-content h-full max-w-40 truncate bg-card outline-none"
      >
        {sorts.map(each => (
          <option key={each} value={each}>
            {t(`gallery.sort.${each}`)}
          </option>
        ))}
      </select>
    </span>
  )
}
