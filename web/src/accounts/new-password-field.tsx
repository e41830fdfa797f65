import { useWords } from '../app/words.ts'
import { fieldError } from '../ui/failure.ts'
import { Field } from '../ui/field.tsx'

/** Where a password is chosen, under the rules of the interface. `failure` is the result of the last attempt. */
export const NewPasswordField = ({ label, failure }: { label: string; failure: unknown }) => {
  const { t } = useWords()
  return (
    <Field
      name="user_password"
      type="password"
      label={label}
      hint={t('field.passwordHint')}
      autoComplete="new-password"
      required
      minLength={8}
      maxLength={128}
      error={fieldError(failure, 'user_password')}
    />
  )
}
