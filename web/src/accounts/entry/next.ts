/** Where to go after signing in: only to an address of our own. */
export const nextOf = ({ next }: Record<string, string>): { next?: string } =>
  next !== undefined && /^\/(?![/\\])[^\p{Cc}]*$/u.test(next) ? { next } : {}
