import { ArrowDownUp } from 'lucide-react'
import { useId } from 'react'
import { useWords } from '../../app/words.ts'
import { type Sort, sorts } from '../photo-filter.ts'
import { pill } from './pill.tsx'

export const SortPill = ({ sort, onChoose }: { sort: Sort; onChoose(sort: Sort): void }) => {
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
