import { useWords } from '../../app/words.ts'
import { fieldError } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'

/** The PIN of a link that asks for one. */
export const PinField = ({ error }: { error: unknown }) => {
  const { t } = useWords()
  return (
    <Field
      name="pin"
      label={t('links.enterPin')}
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      error={fieldError(error, 'pin')}
    />
  )
}
