const lengthMin = 3
const digitsMax = 4

/** A username that somebody with this name might choose; by the e-mail address where the name has no Latin letters. */
export const usernameFrom = (name: string, email: string): string =>
  [name.trim().replace(/\s+/g, '.'), email.replace(/@.*/s, '')].map(plain).find(each => each.length >= lengthMin) ??
  'user'

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '')
    .replace(/\.{2,}/g, '.')
    .replace(/^\.+|\.+$/g, '')
    .slice(0, 60)

/** The same with digits behind it, for when somebody else has it. */
export const another = (username: string) =>
  `${username}${Math.random()
    .toString()
    .slice(2, 2 + digitsMax)}`
