import { Images, type LucideIcon, MessageCircle, QrCode } from 'lucide-react'
import { publicPath } from '../../app/public-path.ts'
import { Link } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { useRegistration } from '../../people/registration.ts'
import { buttonClass } from '../../ui/button.tsx'
import { GoOn } from './go-on.tsx'
import { KeptLinks } from './kept-links.tsx'

/** What this is, for first-time visitors, and every way in. */
export const WelcomePage = () => {
  const { t } = useWords()
  const open = useRegistration() === 'open'
  return (
    <div className="grid grid-cols-1 gap-4">
      <title>Afterglow</title>
      <GoOn />
      <KeptLinks />
      <img
        src={`${publicPath}/phone-and-wall.webp`}
        alt=""
        width={1200}
        height={760}
        className="h-auto w-full lg:hidden"
      />
      <ul className="grid grid-cols-1 gap-4">
        <Point icon={QrCode}>{t('front.scan')}</Point>
        <Point icon={Images}>{t('front.album')}</Point>
        <Point icon={MessageCircle}>{t('front.chat')}</Point>
      </ul>
      <div className="grid grid-cols-1 gap-2">
        {open && (
          <Link to="/register" search={{ next: '/events/new' }} className={buttonClass('main', 'large')}>
            {t('eventForm.create')}
          </Link>
        )}
        <Link to="/sign-in" className={buttonClass(open ? 'quiet' : 'main', 'large')}>
          {t('signIn.act')}
        </Link>
      </div>
    </div>
  )
}

const Point = ({ icon: Icon, children }: { icon: LucideIcon; children: string }) => (
  <li className="flex items-start gap-4">
    <span className="grid size-10 shrink-0 place-items-center rounded-full bg-glow text-on-glow">
      <Icon className="size-5" />
    </span>
    <span className="min-w-0 pt-2 text-pretty wrap-anywhere">{children}</span>
  </li>
)
