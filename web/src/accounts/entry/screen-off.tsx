import { useWords } from '../../app/words.ts'

/** What is left of the wall on a screen whose link was closed. */
export const ScreenOff = () => {
  const { t } = useWords()
  return (
    <main className="fixed inset-0 z-50 grid place-items-center bg-black p-8 text-center text-white/80">
      <title>{`${t('wall.title')} · Afterglow`}</title>
      <h1 className="text-[max(1.25rem,4.4vh)] text-balance">{t('wall.off')}</h1>
    </main>
  )
}
