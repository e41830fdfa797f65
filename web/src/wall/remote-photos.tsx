import { useQuery } from '@tanstack/react-query'
import { Eye, EyeOff, MonitorOff, MonitorPlay, Star, StarOff } from 'lucide-react'
import { useNow } from '../app/now.ts'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { useAlt } from '../gallery/alt.ts'
import { type Photo, photoQuery } from '../gallery/queries.ts'
import { buttonClass, IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/layers/menu.tsx'
import { Notice } from '../ui/notice.tsx'
import type { Mark } from './remote.ts'
import type { Wall } from './wall-query.ts'

/** A screen reports at least once a minute what it shows. */
const silentMs = 90_000

type OnScreenProps = {
  eventId: number
  wall: Wall
  photos: readonly Photo[]
  onMark(photoId: string, mark: Mark): void
}

/** The photos in a screen's last report, each with a button to remove it from the wall. */
export const OnScreen = ({ eventId, wall, photos, onMark }: OnScreenProps) => {
  const { t } = useWords()
  const now = useNow()
  const isOn = wall.on_wall_at !== null && now - Date.parse(wall.on_wall_at) < silentMs
  if (!isOn)
    return (
      <Notice
        icon={MonitorOff}
        title={t('wall.noScreen')}
        action={
          <Link to="/events/:eventId/links" params={{ eventId }} className={buttonClass('soft')}>
            {t('links.title')}
          </Link>
        }
      >
        {t('wall.noScreenMore')}
      </Notice>
    )
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="font-display text-xl font-semibold">{t('wall.now')}</h2>
      <ul className={`grid gap-2 ${wall.on_wall_photo_ids.length > 1 ? 'grid-cols-2 sm:grid-cols-3' : 'grid-cols-1'}`}>
        {wall.on_wall_photo_ids.map(id => (
          <OneOnScreen
            key={id}
            id={String(id)}
            known={photos.find(photo => photo.id === String(id))}
            onHide={() => onMark(String(id), 'hidden')}
          />
        ))}
      </ul>
    </section>
  )
}

const OneOnScreen = ({ id, known, onHide }: { id: string; known: Photo | undefined; onHide(): void }) => {
  const { t } = useWords()
  const { data } = useQuery({ ...photoQuery(id), enabled: known === undefined })
  const photo = known ?? data
  const alt = useAlt(photo)
  return (
    <li className="relative aspect-video overflow-hidden rounded-2xl bg-sunken">
      {photo && <img src={photo.event_photo_preview_url} alt={alt} className="size-full object-contain" />}
      <IconButton
        label={`${t('wall.hide')}: ${alt}`}
        onClick={onHide}
        className="absolute end-1.5 top-1.5 bg-black/60! text-white! hover:bg-black/85!"
      >
        <EyeOff />
      </IconButton>
    </li>
  )
}

type PhotoProps = { photo: Photo; wall: Wall; onShow(): void; onMark(photoId: string, mark: Mark): void }

/** A photo of the album, with its state on the wall. */
export const PhotoOfWall = ({ photo, wall, onShow, onMark }: PhotoProps) => {
  const { t } = useWords()
  const alt = useAlt(photo)
  const id = Number(photo.id)
  const [chosen, hidden] = [wall.chosen_photo_ids.includes(id), wall.hidden_photo_ids.includes(id)]
  const state = chosen ? t('wall.isChosen') : hidden ? t('wall.isHidden') : undefined
  return (
    <li>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={state ? `${alt} · ${state}` : alt}
            className="relative block aspect-square w-full overflow-hidden rounded-xl bg-sunken"
          >
            <img
              src={photo.event_photo_preview_url}
              alt=""
              loading="lazy"
              className={`absolute inset-0 size-full object-cover ${hidden ? 'opacity-35' : ''}`}
            />
            {state && (
              <span className="absolute start-1 top-1 grid size-7 place-items-center rounded-full bg-black/65 text-white [&>svg]:size-4">
                {chosen ? <Star /> : <EyeOff />}
              </span>
            )}
          </button>
        }
        items={[
          { label: t('wall.showNow'), icon: MonitorPlay, act: onShow },
          chosen
            ? { label: t('wall.unchoose'), icon: StarOff, act: () => onMark(photo.id, 'none') }
            : { label: t('wall.choose'), icon: Star, act: () => onMark(photo.id, 'chosen') },
          hidden
            ? { label: t('wall.unhide'), icon: Eye, act: () => onMark(photo.id, 'none') }
            : { label: t('wall.hide'), icon: EyeOff, act: () => onMark(photo.id, 'hidden') },
        ]}
      />
    </li>
  )
}
