import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, statusOf } from '../app/net/client.ts'
import { online } from '../app/net/network.ts'
import { publicPath } from '../app/public-path.ts'
import { keptCode } from '../app/storage/join-code.ts'
import { useStore } from '../app/store.ts'
import { useWords } from '../app/words.ts'
import { phonesReach } from '../events/links/unreachable.tsx'
import type { Wall } from './wall-query.ts'

/** 320 px of a 1920 × 1080 screen, and the same proportion of a larger one: readable by a phone from some metres. */
export const codeWidth = 'w-[max(6rem,min(17vw,31vh))]'

type Props = { eventId: number; link: Wall['wall_link']; large: boolean }

/**
 * The code that admits guests, and the address to type instead: letters as high as a twentieth of the screen are
 * readable from ten metres. Screens and organizers are given one; a guest's screen shows the link by which the guest
 * joined.
 */
export const WallCode = ({ eventId, link, large }: Props) => {
  const { t } = useWords()
  const own = useQuery({
    queryKey: ['wall-link', eventId],
    queryFn: async ({ signal }) => (await ownLink(eventId, signal)) ?? null,
    // A link revoked meanwhile must not stay on the wall all evening.
    refetchInterval: 60_000,
    enabled: link === null,
  })
  const way = link && phonesReach(link.link_url) ? link : own.data
  const reachable = useStore(online)
  const [missing, setMissing] = useState<string>()
  // A screen that restarts without a network has the code to type, but no picture of it.
  const drawn = way !== undefined && way !== null && (reachable || missing !== way.link_qr_svg_url)
  if (!way || !(drawn || way.short_code)) return null
  return (
    <figure
      className={`absolute grid animate-fade justify-items-center gap-[0.6vw] rounded-3xl bg-white p-[max(0.6rem,0.9vw)] text-black shadow-float ${large ? 'inset-x-0 bottom-[6vh] mx-auto w-fit' : 'end-[calc(1rem+env(safe-area-inset-right))] bottom-4 lg:end-[2vw] lg:bottom-[3vh]'}`}
    >
      {drawn && (
        <img
          src={way.link_qr_svg_url}
          alt=""
          onError={() => setMissing(way.link_qr_svg_url)}
          className={`aspect-square ${large ? 'w-[min(60vw,36vh)]' : codeWidth}`}
        />
      )}
      <figcaption
        className={`text-center text-[max(0.8rem,2.1vh)] leading-tight font-semibold text-balance ${large ? 'max-w-[42vh]' : 'max-w-[max(6rem,17vw)]'}`}
      >
        {drawn && t('wall.join')}
        {way.short_code && way.short_url && (
          <span className="block pt-[0.6vh]" dir="ltr">
            <span className="block text-[max(0.8rem,2.8vh)] leading-tight wrap-anywhere">
              {way.short_url.slice(0, -way.short_code.length).replace(/^https?:\/\//, '')}
            </span>
            {/* A word with its dash, and a number: never more than eight letters in a line. */}
            <span
              className={`block leading-none font-bold tabular-nums ${large ? 'text-[max(0.8rem,min(5vh,8vw))]' : 'text-[max(0.8rem,min(5vh,2.9vw))]'}`}
            >
              {way.short_code.slice(0, -4)}
              <wbr />
              {way.short_code.slice(-4)}
            </span>
          </span>
        )}
        {way.link_pin && (
          <span className="block pt-[0.6vh] text-[1.6em] leading-tight">{t('wall.pin', { pin: way.link_pin })}</span>
        )}
      </figcaption>
    </figure>
  )
}

const ownLink = async (eventId: number, signal: AbortSignal) => {
  const code = keptCode(eventId)
  if (code === undefined || !phonesReach('/')) return undefined
  try {
    const { link_pin_required } = await api.links.openLink({ code }, { signal })
    const link_qr_svg_url = `${publicPath}/j/${code}/qr.svg`
    return link_pin_required ? undefined : { link_qr_svg_url, link_pin: null, short_code: null, short_url: null }
  } catch (error) {
    // Closed, expired or used up. Without a network, the current one stays.
    if (statusOf(error) === undefined) throw error
    return undefined
  }
}
