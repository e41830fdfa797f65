/** The kind of sign-in that is ours: a name or e-mail address, and a password. */
export const ownAccountType = 1
