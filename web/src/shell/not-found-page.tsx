import { Compass } from 'lucide-react'
import { Link } from '../app/router/router.tsx'
import { useWords } from '../app/words.ts'
import { buttonClass } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

export const Missing = () => {
  const { t } = useWords()
  return (
    <main className="grid min-h-dvh place-items-center">
      <title>{t('missing.title')}</title>
      <Notice
        heading="h1"
        icon={Compass}
        title={t('missing.title')}
        action={
          <Link to="/" className={buttonClass()}>
            {t('missing.home')}
          </Link>
        }
      >
        {t('missing.more')}
      </Notice>
    </main>
  )
}
