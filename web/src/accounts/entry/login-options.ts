/** Our own sign-in type: a name or e-mail address, and a password. */
export const ownAccountType = 1
