import type { ComponentProps } from 'react'
import { useWords } from '../app/words.ts'
import { Field } from '../ui/field.tsx'

/* Fields shared by several forms, under the rules of the interface. */

type Props = Partial<ComponentProps<typeof Field>>

/** No `type="email"`: that refuses `jörg@…`, and makes `xn--mnchen-3ya.de` of `münchen.de`. */
export const EmailField = (more: Props) => {
  const { t } = useWords()
  return (
    <Field
      name="user_email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      pattern="[^\s@]+@[^\s@]+\.[^\s@]+"
      dir="ltr"
      label={t('field.email')}
      autoComplete="email"
      required
      maxLength={254}
      {...more}
    />
  )
}

export const CurrentPasswordField = ({ name }: { name: string }) => {
  const { t } = useWords()
  return <Field name={name} type="password" label={t('password.current')} autoComplete="current-password" required />
}

export const UsernameField = (more: Props) => {
  const { t } = useWords()
  return (
    <Field
      name="user_username"
      dir="ltr"
      label={t('field.username')}
      hint={t('field.usernameHint')}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      minLength={3}
      maxLength={64}
      pattern="[A-Za-z0-9._\-]+"
      {...more}
    />
  )
}
