import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../app/net/client.ts'
import { useWords } from '../../app/words.ts'
import { sayFailure } from '../../ui/failure.ts'
import { Switch } from '../../ui/switch.tsx'
import { type Account, accountKey } from '../queries.ts'

/** Whether all notifications are silent. */
export const MuteSwitch = ({ account }: { account: Account }) => {
  const { t } = useWords()
  const client = useQueryClient()
  const mute = useMutation({
    mutationFn: (user_setting_mute_notification: boolean) =>
      api.accounts.updateSettings({ user_setting_mute_notification }),
    onSuccess: updated => client.setQueryData(accountKey, updated),
    onError: sayFailure,
  })
  const muted = mute.isPending ? mute.variables : account.user_settings.user_setting_mute_notification
  return <Switch label={t('settings.mute')} hint={t('settings.muteHint')} checked={muted} onChange={mute.mutate} />
}
