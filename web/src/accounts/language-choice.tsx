import { chooseLanguage } from '../app/language.ts'
import { useWords } from '../app/words.ts'
import { languages } from './language-names.ts'

/** The languages by their own names, for people who cannot read the current one. */
export const LanguageChoice = () => {
  const { t, language: spoken } = useWords()
  return (
    <fieldset className="mt-6 flex flex-wrap justify-center min-[24rem]:gap-x-1">
      <legend className="sr-only">{t('settings.language')}</legend>
      {languages().map(([language, name]) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={spoken === language}
          onClick={() => void chooseLanguage(language)}
          className="min-h-11 min-w-11 rounded-full px-2 py-2 min-[24rem]:px-3 text-sm text-soft hover:text-ink aria-pressed:font-semibold aria-pressed:text-ember"
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
