import { ChevronRight, QrCode } from 'lucide-react'
import { Link } from '../../app/router/router.tsx'
import { keptLinks } from '../../app/storage/join-code.ts'
import { returnKeys } from '../../app/storage/return-keys.ts'
import { useWords } from '../../app/words.ts'

/** The way back for those who joined by a link, before anything asks for a password that they never had. */
export const KeptLinks = () => {
  const { t } = useWords()
  const back = new Set(returnKeys().map(({ userId }) => userId))
  // By them, a returning guest would join as somebody new.
  const links = keptLinks().filter(({ code, name, userId = 0 }) => code && name && !back.has(userId))
  if (links.length === 0) return null
  return (
    <section className="grid gap-2 rounded-2xl bg-glow p-4 text-on-glow">
      <h2 className="font-semibold text-balance">{t('front.kept')}</h2>
      <ul className="grid grid-cols-1 gap-2">
        {links.map(({ eventId, code = '', name = '' }) => (
          <li key={eventId}>
            <Link
              to="/j/:code"
              params={{ code }}
              className="flex min-h-12 items-center gap-3 rounded-xl bg-card px-4 py-2 font-semibold text-ink shadow-card"
            >
              <QrCode className="size-5 shrink-0 text-ember" />
              <span className="min-w-0 flex-1 wrap-anywhere" dir="auto">
                {name}
              </span>
              <ChevronRight className="size-5 shrink-0 rtl:-scale-x-100" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
