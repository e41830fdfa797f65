import { useWords } from '../app/words.ts'
import { readable } from './wall-picture.tsx'

/** Shown before the first photo: an evening sky, the wall's purpose, and the link to join. */
export const WallEmpty = ({ name, loading }: { name: string | undefined; loading: boolean }) => {
  const { t } = useWords()
  return (
    <div className="grid h-full content-start justify-items-center gap-[3vh] bg-linear-to-b from-[#1f2a5c] via-[#6c4a8f] to-[#ee8d6b] px-8 pt-[12vh] text-center">
      <p
        className="font-display text-[max(1.75rem,min(9vh,11vw))] leading-tight font-semibold text-balance text-shadow-lg"
        dir="auto"
      >
        {name}
      </p>
      <p className={`text-balance text-white/95 ${readable}`}>{loading ? t('common.loading') : t('wall.none')}</p>
    </div>
  )
}
