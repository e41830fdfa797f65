import { useQuery } from '@tanstack/react-query'
import { api, statusOf } from '../app/client.ts'
import { useWords } from '../app/words.ts'
import { keptCode } from '../events/came-by.ts'

/**
 * The code that lets guests in: of the newest link that is open to everybody, if there is one. Only organizers see the
 * links of an event; a screen that came in by one shows that one.
 */
export const WallCode = ({ eventId, manages }: { eventId: number; manages: boolean }) => {
  const { t } = useWords()
  const { data: address } = useQuery({
    queryKey: ['wall-link', eventId, manages],
    queryFn: async ({ signal }) => (await (manages ? newestLink : ownLink)(eventId, signal)) ?? null,
    // One that is revoked meanwhile must not stay on the wall all evening.
    refetchInterval: 60_000,
  })
  if (!address) return null
  return (
    <figure className="absolute end-6 bottom-6 grid animate-fade justify-items-center gap-2 rounded-3xl bg-white p-3 text-black shadow-float lg:end-10 lg:bottom-10">
      <img src={address} alt="" className="size-24 lg:size-40" />
      <figcaption className="max-w-40 text-center text-sm leading-tight font-semibold">{t('wall.join')}</figcaption>
    </figure>
  )
}

const newestLink = async (event_id: number, signal: AbortSignal) => {
  const { data } = await api.links.listLinks({ event_id, page: 1, page_length: 100 }, { signal })
  return data.find(each => each.link_status === 'open' && !each.link_pin_required)?.link_qr_svg_url
}

const ownLink = async (eventId: number, signal: AbortSignal) => {
  const code = keptCode(eventId)
  if (code === undefined) return undefined
  try {
    const { link_pin_required } = await api.links.openLink({ code }, { signal })
    return link_pin_required ? undefined : `/j/${code}/qr.svg`
  } catch (error) {
    // Closed, expired or used up. Without a network the one that is shown stays.
    if (statusOf(error) === undefined) throw error
    return undefined
  }
}
