import { publicPath } from '../../app/public-path.ts'
import { Outlet } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { LanguageChoice } from '../language-choice.tsx'

/** The frame of the sign-in pages: what this is, and the way in. */
export const FrontPage = () => {
  const { t } = useWords()
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_1fr] lg:grid-cols-[1.1fr_1fr] lg:grid-rows-1">
      <Sky>
        <h1 className="font-display text-2xl font-semibold lg:text-4xl">Afterglow</h1>
        <p className="max-w-sm text-pretty text-white/90 lg:text-xl">{t('front.promise')}</p>
      </Sky>
      <main className="relative grid grid-cols-1 content-start justify-items-center px-4 pb-8 lg:content-center">
        <div className="-mt-6 w-full max-w-md rounded-2xl bg-card p-6 hyphens-auto shadow-card wrap-anywhere lg:mt-0 lg:bg-transparent lg:shadow-none">
          <Outlet />
        </div>
        <LanguageChoice />
      </main>
    </div>
  )
}

/** An evening sky with a phone and the wall. */
const Sky = ({ children }: { children: React.ReactNode }) => (
  <header className="overflow-hidden bg-[linear-gradient(170deg,#2c1745_0%,#6d2a5e_38%,#c2452c_72%,#f29a4d_100%)] px-6 pt-8 pb-12 text-white lg:grid lg:content-center lg:gap-12 lg:p-12">
    <img
      src={`${publicPath}/phone-and-wall.webp`}
      alt=""
      width={1200}
      height={760}
      className="mx-auto w-full max-w-3xl max-lg:hidden"
    />
    <div className="mx-auto grid w-full max-w-md gap-2 lg:max-w-3xl">{children}</div>
  </header>
)
