import { useWords } from '../app/words.ts'
import { Choice } from '../ui/field.tsx'
import type { WallChanges } from './remote.ts'
import type { Wall } from './wall-query.ts'

const layouts = ['one', 'pairs', 'mosaic'] as const
const choices = ['all', 'liked', 'chosen'] as const
const speeds = [3, 5, 7, 10, 15, 30, 60, 120]

/** The layout of the wall, its speed, and its content. */
export const WallSettings = ({ wall, onChange }: { wall: Wall; onChange(wish: WallChanges): void }) => {
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
    </div>
  )
}
