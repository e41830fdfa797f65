/* What notifications are loaded under. */

export const notificationsKey = ['notifications'] as const
export const unreadKey = ['notifications-unread'] as const
