import { useQuery } from '@tanstack/react-query'
import { api, statusOf } from '../app/net/client.ts'
import { publicPath } from '../app/public-path.ts'
import { keptCode } from '../app/storage/join-code.ts'
import { useWords } from '../app/words.ts'
import { phonesReach } from '../events/links/unreachable.tsx'

/** 320 px of a 1920 × 1080 screen, and the same proportion of a larger one: readable by a phone from some metres. */
export const codeWidth = 'w-[max(6rem,min(17vw,31vh))]'

/**
 * The code that admits guests: of the newest link without a PIN, or of the newest one whose PIN can be shown with it.
 * Only organizers see the links of an event; a screen that joined by one shows that one.
 */
export const WallCode = ({ eventId, manages, large }: { eventId: number; manages: boolean; large: boolean }) => {
  const { t } = useWords()
  const { data: way } = useQuery({
    queryKey: ['wall-link', eventId, manages],
    queryFn: async ({ signal }) => (await (manages ? newestLink : ownLink)(eventId, signal)) ?? null,
    // A link revoked meanwhile must not stay on the wall all evening.
    refetchInterval: 60_000,
  })
  if (!way) return null
  return (
    <figure
      className={`absolute grid animate-fade justify-items-center gap-[0.6vw] rounded-3xl bg-white p-[max(0.6rem,0.9vw)] text-black shadow-float ${large ? 'inset-x-0 bottom-[6vh] mx-auto w-fit' : 'end-[calc(1rem+env(safe-area-inset-right))] bottom-4 lg:end-[2vw] lg:bottom-[3vh]'}`}
    >
      <img src={way.code} alt="" className={`aspect-square ${large ? 'w-[min(60vw,42vh)]' : codeWidth}`} />
      <figcaption
        className={`text-center text-[max(0.8rem,2.1vh)] leading-tight font-semibold text-balance ${large ? 'max-w-[42vh]' : 'max-w-[max(6rem,17vw)]'}`}
      >
        {t('wall.join')}
        {way.pin && <span className="block pt-[0.6vh] text-[1.3em] leading-tight">{t('wall.pin', way)}</span>}
      </figcaption>
    </figure>
  )
}

const newestLink = async (event_id: number, signal: AbortSignal) => {
  const { data } = await api.links.listLinks({ event_id, page: 1, page_length: 100 }, { signal })
  const open = data.filter(each => each.link_status === 'open' && phonesReach(each.link_url))
  const found = open.find(each => !each.link_pin_required) ?? open.find(each => each.link_pin !== null)
  return found && { code: found.link_qr_svg_url, pin: found.link_pin ?? '' }
}

const ownLink = async (eventId: number, signal: AbortSignal) => {
  const code = keptCode(eventId)
  if (code === undefined || !phonesReach('/')) return undefined
  try {
    const { link_pin_required } = await api.links.openLink({ code }, { signal })
    return link_pin_required ? undefined : { code: `${publicPath}/j/${code}/qr.svg`, pin: '' }
  } catch (error) {
    // Closed, expired or used up. Without a network, the current one stays.
    if (statusOf(error) === undefined) throw error
    return undefined
  }
}
