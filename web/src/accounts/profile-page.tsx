import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../app/net/client.ts'
import { useWords } from '../app/words.ts'
import { Button } from '../ui/button.tsx'
import { useDraft } from '../ui/draft.ts'
import { fieldError, formError, sayFailure } from '../ui/failure.ts'
import { Field } from '../ui/field.tsx'
import { formMaybe, formText, useForm } from '../ui/form.ts'
import { FormProblem } from '../ui/form-problem.tsx'
import { say } from '../ui/layers/toasts.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { PictureField } from '../ui/pictures/picture-field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Switch } from '../ui/switch.tsx'
import { EmailField, UsernameField } from './account-fields.tsx'
import { guestStatus } from './account-hint.tsx'
import { Prove } from './prove.tsx'
import { type Account, accountKey, useAccount } from './queries.ts'

export const ProfilePage = () => {
  const { t } = useWords()
  const account = useAccount()
  return (
    <>
      <title>{`${t('profile.title')} · Afterglow`}</title>
      <PageHeader title={t('profile.title')} back={{ to: '/settings' }} />
      <div className="mx-auto max-w-2xl px-4 py-6">
        {account ? <ProfileForm key={account.updated_at} account={account} /> : <Skeleton className="h-96" />}
      </div>
    </>
  )
}

const fields = [
  'user_first_name',
  'user_middle_name',
  'user_last_name',
  'user_username',
  'user_email',
  'profile_picture',
] as const
type Name = (typeof fields)[number]

const ProfileForm = ({ account }: { account: Account }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const [picture, setPicture] = useState<File>()
  // Without an address, and perhaps without a last name, until the account is claimed.
  const guest = account.user_status === guestStatus
  const [visible, setVisible] = useState(account.user_visible)
  const draft = useDraft('profile')
  const adopt = (updated: Account) => {
    draft.keep('')
    client.setQueryData(accountKey, updated)
    say(t('common.saved'))
  }
  const save = useMutation({
    mutationFn: (form: FormData) =>
      api.accounts.updateAccount({
        user_first_name: formText(form, 'user_first_name'),
        user_middle_name: formMaybe(form, 'user_middle_name'),
        user_last_name: formMaybe(form, 'user_last_name'),
        user_username: formText(form, 'user_username'),
        user_email: guest ? account.user_email : formText(form, 'user_email'),
        user_visible: visible,
        ...(picture && { profile_picture: picture, profile_picture_updated: true }),
      }),
    onSuccess: adopt,
  })
  const remove = useMutation({ mutationFn: () => api.accounts.removeAvatar(), onSuccess: adopt, onError: sayFailure })
  const error = (field: Name) => fieldError(save.error, field)
  return (
    <form ref={draft.form} onSubmit={useForm(save.mutate)} className="grid gap-4">
      <PictureField
        label={t('profile.picture')}
        shown={account.user_avatar_url}
        error={error('profile_picture')}
        onChoose={setPicture}
        {...(!account.user_avatar_url.includes('/media/initials/') && { onRemove: () => remove.mutate() })}
      />
      <FormProblem text={formError(save.error, fields)} />
      <Prove of={save} />
      <NameFields account={account} error={error} />
      <UsernameField defaultValue={account.user_username} error={error('user_username')} />
      {!guest && <EmailField defaultValue={account.user_email} error={error('user_email')} />}
      <Switch
        name="user_visible"
        label={t('profile.visible')}
        hint={t('profile.visibleHint')}
        checked={visible}
        onChange={setVisible}
      />
      <Button type="submit" size="large" busy={save.isPending}>
        {t('common.save')}
      </Button>
    </form>
  )
}

const NameFields = ({ account, error }: { account: Account; error(field: Name): string | undefined }) => {
  const { t } = useWords()
  const guest = account.user_status === guestStatus
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          name="user_first_name"
          label={t('field.firstName')}
          defaultValue={account.user_first_name}
          required
          maxLength={100}
          error={error('user_first_name')}
          dir="auto"
        />
        <Field
          name="user_middle_name"
          label={t('field.middleName')}
          defaultValue={account.user_middle_name ?? ''}
          maxLength={100}
          error={error('user_middle_name')}
          dir="auto"
        />
      </div>
      <Field
        name="user_last_name"
        label={guest ? t('links.lastName') : t('field.lastName')}
        defaultValue={account.user_last_name}
        required={!guest}
        maxLength={100}
        error={error('user_last_name')}
        dir="auto"
      />
    </>
  )
}
