import { readFileSync } from 'node:fs'

const file = (name: string) => readFileSync(new URL(`../tls/${name}`, import.meta.url), 'utf8')

/** PEM of the authority that signed every TLS server of the tests. */
export const authority = file('authority.pem')
/** The certificate of a TLS server on loopback. */
export const certificate = { key: file('localhost.key.pem'), cert: file('localhost.pem') }
