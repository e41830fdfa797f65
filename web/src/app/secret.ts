export const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Hard to guess: 32 random bytes, even without HTTPS. */
export const newSecret = () => base64url(crypto.getRandomValues(new Uint8Array(32)))
