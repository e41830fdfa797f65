import { useQuery } from '@tanstack/react-query'
import { ArrowDownUp, CircleCheck, Download, MonitorPlay, Trash2, UserRound } from 'lucide-react'
import { type ComponentProps, useId, useState } from 'react'
import { navigate } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { eventQuery } from '../events/queries.ts'
import { nameOf } from '../people/names.ts'
import { DeletedDialog } from './deleted-dialog.tsx'
import { DownloadDialog } from './download-dialog.tsx'
import { NewSince } from './new-since.tsx'
import { chooseSort, searchOf } from './own-sort.ts'
import { PersonDialog } from './person-dialog.tsx'
import { type Showing, type Sort, sorts } from './photo-filter.ts'
import type { Photo } from './queries.ts'

type Props = {
  eventId: number
  showing: Showing
  /** The number of photos. */
  total: number | undefined
  /** One of those currently shown. */
  first: Photo | undefined
  onSelect(): void
}

/** Which photos to show, in which order, and what can be done with them. */
export const GalleryBar = ({ eventId, showing, total, first, onSelect }: Props) => {
  const { t } = useWords()
  const { from: _, ...kept } = showing
  const person = showing.by === undefined ? undefined : first?.taken_by
  const may = useQuery(eventQuery(eventId)).data?.extra.may
  const [opened, setOpened] = useState<'download' | 'deleted'>()
  const close = () => setOpened(undefined)
  const show = (search: Showing, replace = true) =>
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
          <CircleCheck aria-hidden="true" />
          {t('gallery.select')}
        </Pill>
      )}
      {(may?.browse || may?.upload) && (
        <Pill onClick={() => setOpened('download')}>
          <Download aria-hidden="true" />
          {t('gallery.download')}
        </Pill>
      )}
      {may?.album && (
        <Pill onClick={() => void navigate({ to: '/events/:eventId/wall', params: { eventId } })}>
          <MonitorPlay aria-hidden="true" />
          {t('wall.title')}
        </Pill>
      )}
      {may?.read && (
        <Pill onClick={() => setOpened('deleted')}>
          <Trash2 aria-hidden="true" />
          {t('deleted.title')}
        </Pill>
      )}
      {opened === 'download' && <DownloadDialog eventId={eventId} person={person} onClose={close} />}
      {opened === 'deleted' && <DeletedDialog eventId={eventId} onClose={close} />}
    </div>
  )
}

const pill =
  'touch flex h-9 shrink-0 items-center gap-1.5 rounded-full border border-line bg-card px-3 text-sm font-semibold whitespace-nowrap hover:bg-hover [&>svg]:size-4 [&>svg]:text-soft'

const Pill = (button: ComponentProps<'button'>) => <button {...button} type="button" className={pill} />

type PersonProps = {
  eventId: number
  showing: Showing
  person: Photo['taken_by'] | undefined
  onShow(showing: Showing): void
}

/** Whose photos are shown, and the way to those of somebody else. */
const PersonPill = ({ eventId, showing, person, onShow }: PersonProps) => {
  const { t } = useWords()
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <Pill
        aria-haspopup="dialog"
        aria-label={`${t('gallery.person')}: ${person ? nameOf(person) : t('gallery.everybody')}`}
        onClick={() => setChoosing(true)}
      >
        <UserRound aria-hidden="true" />
        <span className="max-w-40 truncate" dir="auto">
          {person ? nameOf(person) : t(showing.by === undefined ? 'gallery.everybody' : 'gallery.person')}
        </span>
      </Pill>
      {choosing && (
        <PersonDialog
          eventId={eventId}
          onChoose={by => {
            const { by: _, ...all } = showing
            // A navigation step of its own, replacing the dialog's: back leads to everybody's photos again.
            onShow(by === undefined ? all : { ...all, by })
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}

const SortPill = ({ sort, onChoose }: { sort: Sort; onChoose(sort: Sort): void }) => {
  const { t } = useWords()
  const id = useId()
  return (
    <span className={`${pill} focus-within:outline-2 focus-within:outline-ember`}>
      <ArrowDownUp aria-hidden="true" />
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
