import { Outlet } from '../../app/router/router.tsx'
import { useWords } from '../../app/words.ts'
import { LanguageChoice } from '../language-choice.tsx'

/** The frame of the sign-in pages: what this is, and the way in. */
export const FrontPage = () => {
  const { t } = useWords()
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_1fr] lg:grid-cols-[1.1fr_1fr] lg:grid-rows-1">
      <Sky>
        <h1 className="font-display text-2xl font-semibold lg:text-3xl">Afterglow</h1>
        <p className="max-w-sm text-pretty text-white/90 lg:text-lg">{t('front.promise')}</p>
      </Sky>
      <main className="relative grid grid-cols-1 content-start justify-items-center px-5 pb-8 lg:content-center">
        <div className="-mt-6 w-full max-w-md rounded-3xl bg-card p-6 hyphens-auto shadow-card wrap-anywhere lg:mt-0 lg:bg-transparent lg:shadow-none">
          <Outlet />
        </div>
        <LanguageChoice />
      </main>
    </div>
  )
}

/** An evening sky, drawn with gradients: nothing has to be loaded for it. */
const Sky = ({ children }: { children: React.ReactNode }) => (
  <header className="relative overflow-hidden bg-[linear-gradient(170deg,#2c1745_0%,#6d2a5e_38%,#c2452c_72%,#f29a4d_100%)] px-6 pt-10 pb-20 text-white lg:flex lg:flex-col lg:justify-end lg:p-12">
    <div
      aria-hidden="true"
      className="absolute -bottom-24 left-1/2 size-44 -translate-x-1/2 rounded-full bg-[radial-gradient(circle,#fff1d6_0%,#ffc27c_45%,transparent_72%)] opacity-80 lg:bottom-1/3 lg:size-96"
    />
    <div className="relative mx-auto grid w-full max-w-md gap-2 lg:mx-0 lg:max-w-none">{children}</div>
  </header>
)
