import { useQuery } from '@tanstack/react-query'
import { ArrowDownUp, CircleCheck, Download, MonitorPlay, Trash2, UserRound } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { navigate } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { eventQuery } from '../events/queries.ts'
import { nameOf } from '../people/names.ts'
import { DeletedDialog } from './deleted-dialog.tsx'
import { DownloadDialog } from './download-dialog.tsx'
import { NewSince } from './new-since.tsx'
import { chooseSort, searchOf } from './own-sort.ts'
import { PersonDialog } from './person-dialog.tsx'
import { type Showing, sorts } from './photo-filter.ts'
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

const pill =
  'touch flex h-9 shrink-0 items-center gap-1.5 rounded-full border border-line bg-card px-3 text-sm font-semibold whitespace-nowrap hover:bg-hover [&>svg]:size-4 [&>svg]:text-soft'

/** Which photos to show, in which order, and what can be done with them. */
export const GalleryBar = ({ eventId, showing, total, first, onSelect }: Props) => {
  const { t } = useWords()
  const { from: _, ...kept } = showing
  const person = showing.by === undefined ? undefined : first?.taken_by
  const may = useQuery(eventQuery(eventId)).data?.extra.may
  const [opened, setOpened] = useState<'person' | 'download' | 'deleted'>()
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
      <Pill
        label={t('gallery.order')}
        icon={<ArrowDownUp aria-hidden="true" />}
        value={showing.sort ?? 'newest'}
        onChange={chosen => {
          const sort = sorts.find(each => each === chosen) ?? 'newest'
          chooseSort(sort)
          show({ ...kept, sort })
        }}
      >
        {sorts.map(sort => (
          <option key={sort} value={sort}>
            {t(`gallery.sort.${sort}`)}
          </option>
        ))}
      </Pill>
      {may?.read && may.album && (
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={`${t('gallery.person')}: ${person ? nameOf(person) : t('gallery.everybody')}`}
          className={pill}
          onClick={() => setOpened('person')}
        >
          <UserRound aria-hidden="true" />
          <span className="max-w-40 truncate" dir="auto">
            {person ? nameOf(person) : t(showing.by === undefined ? 'gallery.everybody' : 'gallery.person')}
          </span>
        </button>
      )}
      {(may?.browse || may?.upload) && (
        <button type="button" className={pill} onClick={onSelect}>
          <CircleCheck aria-hidden="true" />
          {t('gallery.select')}
        </button>
      )}
      {(may?.browse || may?.upload) && (
        <button type="button" className={pill} onClick={() => setOpened('download')}>
          <Download aria-hidden="true" />
          {t('gallery.download')}
        </button>
      )}
      {may?.album && (
        <button
          type="button"
          className={pill}
          onClick={() => void navigate({ to: '/events/:eventId/wall', params: { eventId } })}
        >
          <MonitorPlay aria-hidden="true" />
          {t('wall.title')}
        </button>
      )}
      {may?.read && (
        <button type="button" className={pill} onClick={() => setOpened('deleted')}>
          <Trash2 aria-hidden="true" />
          {t('deleted.title')}
        </button>
      )}
      {opened === 'person' && (
        <PersonDialog
          eventId={eventId}
          onChoose={by => {
            const { by: _, ...all } = kept
            // A navigation step of its own, replacing the dialog's: back leads to everybody's photos again.
            show(by === undefined ? all : { ...all, by }, false)
            close()
          }}
          onClose={close}
        />
      )}
      {opened === 'download' && <DownloadDialog eventId={eventId} person={person} onClose={close} />}
      {opened === 'deleted' && <DeletedDialog eventId={eventId} onClose={close} />}
    </div>
  )
}

type PillProps = {
  label: string
  icon: ReactNode
  value: string | number
  onChange(value: string): void
  children: ReactNode
}

const Pill = ({ label, icon, value, onChange, children }: PillProps) => {
  const id = useId()
  return (
    <span className={`${pill} focus-within:outline-2 focus-within:outline-ember`}>
      {icon}
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={event => onChange(event.target.value)}
        className="field-sizing-content h-full max-w-40 truncate bg-card outline-none"
      >
        {children}
      </select>
    </span>
  )
}
