import { infiniteQueryOptions, useQuery } from '@tanstack/react-query'
import { paged } from '../app/cache/pages.ts'
import { useSettled } from '../app/idle.ts'
import { api } from '../app/net/client.ts'
import { notificationsKey, unreadKey } from './keys.ts'

export type Notification = Awaited<ReturnType<typeof api.notifications.readNotification>>

export const notificationsQuery = infiniteQueryOptions({
  ...paged,
  queryKey: notificationsKey,
  queryFn: ({ pageParam, signal }) =>
    api.notifications.listNotifications({ page: pageParam, page_length: 30 }, { signal }),
})

export const useUnreadNotifications = (): number =>
  useQuery({
    queryKey: unreadKey,
    queryFn: () => api.notifications.countUnreadNotifications(),
    enabled: useSettled(),
  }).data?.unread_count ?? 0
