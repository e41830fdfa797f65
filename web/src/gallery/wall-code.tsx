import { useQuery } from '@tanstack/react-query'
import { api } from '../app/client.ts'
import { useWords } from '../app/words.ts'

/** The code that lets guests in: of the newest link that is open to everybody, if there is one. */
export const WallCode = ({ eventId }: { eventId: number }) => {
  const { t } = useWords()
  const { data } = useQuery({
    queryKey: ['wall-link', eventId],
    queryFn: ({ signal }) => api.links.listLinks({ event_id: eventId, page: 1, page_length: 100 }, { signal }),
    // One that is revoked meanwhile must not stay on the wall all evening.
    refetchInterval: 60_000,
  })
  const link = data?.data.find(each => each.link_status === 'open' && !each.link_pin_required)
  if (!link) return null
  return (
    <figure className="absolute end-6 bottom-6 grid animate-fade justify-items-center gap-2 rounded-3xl bg-white p-3 text-black shadow-float lg:end-10 lg:bottom-10">
      <img src={link.link_qr_svg_url} alt="" className="size-24 lg:size-40" />
      <figcaption className="max-w-40 text-center text-sm leading-tight font-semibold">{t('wall.join')}</figcaption>
    </figure>
  )
}
