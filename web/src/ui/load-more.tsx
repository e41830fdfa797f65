import { useEffect, useRef } from 'react'
import { useWords } from '../app/words.ts'
import { Button } from './button.tsx'

type Props = { more: boolean; loading: boolean; load(): void }

/** The end of a list that continues: it loads by itself when it comes close, or by its button. */
export const LoadMore = ({ more, loading, load }: Props) => {
  const { t } = useWords()
  const place = useRef<HTMLDivElement>(null)
  const wanted = useRef(load)
  wanted.current = load
  useEffect(() => {
    if (!more || loading || !place.current) return
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && wanted.current(), {
      rootMargin: '1500px',
    })
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [more, loading])
  if (!more) return null
  return (
    <div ref={place} className="flex justify-center py-4">
      <Button look="bare" size="small" busy={loading} onClick={load}>
        {t('common.more')}
      </Button>
    </div>
  )
}
