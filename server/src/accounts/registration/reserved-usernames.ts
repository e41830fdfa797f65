/** A user with such a name would pass for the service or for its operators. */
const reserved = new Set([
  ...['admin', 'administrator', 'root', 'system', 'sysadmin', 'superuser', 'webmaster', 'postmaster', 'hostmaster'],
  ...['abuse', 'security', 'support', 'help', 'helpdesk', 'info', 'contact', 'staff', 'team', 'official', 'service'],
  ...['moderator', 'mod', 'operator', 'organizer', 'organiser', 'owner', 'host', 'api', 'bot', 'noreply', 'nobody'],
  ...['everyone', 'everybody', 'all', 'here', 'channel', 'anonymous', 'null', 'undefined', 'me', 'you'],
])

/** Ignores case, separators and anything behind the letters. Names made only of dots are reserved, too. */
export const isReserved = (username: string): boolean => {
  const letters = username.toLowerCase().replaceAll(/[._-]/g, '')
  return (
    (username !== '' && letters === '') || letters.startsWith('afterglow') || reserved.has(letters.replace(/\d+$/, ''))
  )
}
