/** Whoever has such a name would be taken for the service, or for those who run it. */
const reserved = new Set([
  ...['admin', 'administrator', 'root', 'system', 'sysadmin', 'superuser', 'webmaster', 'postmaster', 'hostmaster'],
  ...['abuse', 'security', 'support', 'help', 'helpdesk', 'info', 'contact', 'staff', 'team', 'official', 'service'],
  ...['moderator', 'mod', 'operator', 'organizer', 'organiser', 'owner', 'host', 'api', 'bot', 'noreply', 'nobody'],
  ...['everyone', 'everybody', 'all', 'here', 'channel', 'anonymous', 'null', 'undefined', 'me', 'you'],
])

/** Whatever the case, and whatever stands between the letters or behind them. One of dots alone is nobody's either. */
export const isReserved = (username: string): boolean => {
  const letters = username.toLowerCase().replaceAll(/[._-]/g, '')
  return (
    (username !== '' && letters === '') || letters.startsWith('afterglow') || reserved.has(letters.replace(/\d+$/, ''))
  )
}
