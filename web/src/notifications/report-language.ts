import { queryClient } from '../app/cache/query.ts'
import { api } from '../app/net/client.ts'
import { localeIn } from '../app/words.ts'
import { notificationsKey } from './keys.ts'

/** After a change of language, this device's notifications use it, and so does the list. */
export const reportLanguage = async (language: string) => {
  const { muted_until, quiet_from, quiet_until, rings_per_hour } = await api.notifications.readNotificationSettings()
  await api.notifications.saveNotificationSettings({
    muted_until: muted_until ?? undefined,
    quiet_from: quiet_from ?? undefined,
    quiet_until: quiet_until ?? undefined,
    rings_per_hour,
    language: localeIn(language),
  })
  await queryClient.invalidateQueries({ queryKey: notificationsKey })
}
