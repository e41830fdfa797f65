import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowDownUp, CircleCheck, Download, MonitorPlay, Trash2, UserRound } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useSettled } from '../app/idle.ts'
import { rowsOf } from '../app/pages.ts'
import { useWords } from '../app/words.ts'
import { guestsQuery } from '../events/queries.ts'
import { nameOf } from '../people/names.ts'
import { type Showing, sorts } from './showing.ts'

type Props = {
  eventId: number
  showing: Showing
  onSelect(): void
  onDownload(): void
  onDeleted(): void
}

const pill =
  'touch flex h-9 shrink-0 items-center gap-1.5 rounded-full border border-line bg-card px-3 text-sm font-semibold whitespace-nowrap hover:bg-hover [&>svg]:size-4 [&>svg]:text-soft'

/** Which photos, in which order, and what can be done with them. */
export const GalleryBar = ({ eventId, showing, onSelect, onDownload, onDeleted }: Props) => {
  const { t } = useWords()
  const navigate = useNavigate()
  // Nobody chooses from them before the photos are there.
  const guests = useInfiniteQuery({ ...guestsQuery(eventId), enabled: useSettled() || showing.by !== undefined })
  const people = rowsOf(guests.data, ({ user }) => user.id).map(({ user }) => user)
  const show = (search: Showing) =>
    void navigate({ to: '/events/$eventId/photos', params: { eventId }, search, replace: true })
  return (
    <div className="flex gap-2 overflow-x-auto px-2 py-2 [scrollbar-width:none] lg:px-4">
      <Pill
        label={t('gallery.order')}
        icon={<ArrowDownUp aria-hidden="true" />}
        value={showing.sort ?? 'newest'}
        onChange={sort => show({ ...showing, sort: sorts.find(each => each === sort) ?? 'newest' })}
      >
        {sorts.map(sort => (
          <option key={sort} value={sort}>
            {t(`gallery.sort.${sort}`)}
          </option>
        ))}
      </Pill>
      <Pill
        label={t('gallery.person')}
        icon={<UserRound aria-hidden="true" />}
        value={showing.by ?? ''}
        onChange={by => {
          const { by: _, ...all } = showing
          show(by ? { ...all, by: Number(by) } : all)
        }}
      >
        <option value="">{t('gallery.everybody')}</option>
        {people.map(person => (
          <option key={person.id} value={person.id}>
            {nameOf(person)}
          </option>
        ))}
      </Pill>
      <button type="button" className={pill} onClick={onSelect}>
        <CircleCheck aria-hidden="true" />
        {t('gallery.select')}
      </button>
      <button type="button" className={pill} onClick={onDownload}>
        <Download aria-hidden="true" />
        {t('gallery.download')}
      </button>
      <button
        type="button"
        className={pill}
        onClick={() => void navigate({ to: '/events/$eventId/wall', params: { eventId } })}
      >
        <MonitorPlay aria-hidden="true" />
        {t('wall.title')}
      </button>
      <button type="button" className={pill} onClick={onDeleted}>
        <Trash2 aria-hidden="true" />
        {t('deleted.title')}
      </button>
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
