import { chooseLanguage } from '../../app/language.ts'
import { useStore } from '../../app/store.ts'
import { theme, themes } from '../../app/theme.ts'
import { useWords } from '../../app/words.ts'
import { Choice } from '../../ui/field.tsx'
import { Section } from '../../ui/section.tsx'
import { languages } from '../language-names.ts'

const speakFromNow = async (language: string) => {
  await chooseLanguage(language)
  const { reportLanguage } = await import('../../notifications/report-language.ts')
  // Without a network, the next sign-in reports it.
  await reportLanguage(language).catch(() => {})
}

/** In which language and colours the app is shown. */
export const LookSection = () => {
  const { t, language } = useWords()
  const worn = useStore(theme)
  return (
    <Section title={t('settings.look')}>
      <div className="grid grid-cols-1 gap-4 py-3 sm:grid-cols-2">
        <Choice
          label={t('settings.language')}
          value={language}
          onChange={event => void speakFromNow(event.target.value)}
        >
          {languages().map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </Choice>
        <Choice
          label={t('settings.theme')}
          value={worn}
          onChange={event => theme.set(themes.find(each => each === event.target.value) ?? 'system')}
        >
          <option value="system">{t('settings.system')}</option>
          <option value="light">{t('settings.light')}</option>
          <option value="dark">{t('settings.dark')}</option>
        </Choice>
      </div>
    </Section>
  )
}
