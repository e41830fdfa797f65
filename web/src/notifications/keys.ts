/* The query keys of notifications. */

export const notificationsKey = ['notifications'] as const
export const unreadKey = ['notifications-unread'] as const
