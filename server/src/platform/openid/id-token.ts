import { PersonName } from '@afterglow/contract/accounts/account-fields'
import { emailLengthMax } from '@afterglow/contract/limits'
import { Email } from '@afterglow/contract/words'
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'

/** The claims of a verified ID token. Only the subject identifies a person. */
export type Claims = {
  subject: string
  email: string | undefined
  emailVerified: boolean
  /** Google: the address belongs to an organization whose mail Google runs. */
  hostedDomain: boolean
  firstName: string | undefined
  lastName: string | undefined
}

export type ExpectedClaims = {
  issuers: readonly string[]
  clientIds: readonly string[]
  /** Our nonce, if the flow was ours. */
  nonce?: string | undefined
}

/**
 * Signatures by a key that only the provider has. `none` and the HMACs, for which a published key would be enough, are
 * excluded.
 */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA'],
]
const leewaySeconds = 30
const ageMaxSeconds = 24 * 60 * 60
const lengthMax = 16 * 1024
/** OpenID Core 2: at most 255 ASCII characters. */
const subjectForm = /^[\x20-\x7e]{1,255}$/

/**
 * The claims of an ID token that the provider has signed for us and that is currently valid. Undefined for any other
 * text. Keys only come from `keys`: references in the header (jku, jwk, x5u, x5c) are ignored.
 */
export const readIdToken = async (token: string, keys: JWTVerifyGetKey, expected: ExpectedClaims) => {
  if (token.length > lengthMax) return undefined
  const payload = await verified(token, keys, expected)
  return payload && isForUs(payload, expected) ? claimsOf(payload) : undefined
}

const verified = async (token: string, keys: JWTVerifyGetKey, { issuers, clientIds }: ExpectedClaims) => {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms,
      issuer: [...issuers],
      audience: [...clientIds],
      clockTolerance: leewaySeconds,
      maxTokenAge: ageMaxSeconds,
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    // An access token or logout token from the same provider may contain our name as well.
    const isIdToken = /^jwt$/i.test(protectedHeader.typ ?? 'JWT') && payload.events === undefined
    return isIdToken ? payload : undefined
  } catch (fault) {
    if (fault instanceof errors.JOSEError || fault instanceof TypeError) return undefined
    throw fault
  }
}

const isForUs = ({ sub, aud, azp, nonce }: JWTPayload, expected: ExpectedClaims) => {
  const audiences = [aud].flat()
  const known = (id: unknown) => expected.clientIds.includes(id as string)
  return (
    typeof sub === 'string' &&
    subjectForm.test(sub) &&
    audiences.every(known) &&
    (azp === undefined ? audiences.length === 1 : known(azp)) &&
    (expected.nonce === undefined || nonce === expected.nonce)
  )
}

const textOf = (value: unknown) =>
  typeof value === 'string' && value.isWellFormed() ? value.replaceAll('\0', '').trim() : ''

/**
 * A provider's data about a person must be something they could have typed, or it counts as absent: then they are
 * asked.
 */
const address = Email(emailLengthMax)
const emailOf = ({ email, email_verified: verified }: Record<string, unknown>) => {
  // Apple writes its booleans as strings. If the provider itself doubts the mailbox, its word is worth nothing.
  if (verified === false || verified === 'false') return undefined
  return address.safeParse(textOf(email)).data
}
export const nameOf = (value: unknown) => PersonName.safeParse(textOf(value)).data

/** With what UserInfo tells where the ID token tells nothing. An address and whether it is verified belong together. */
export const completedBy = (claims: Claims, told: Record<string, unknown>): Claims => {
  const { email, emailVerified, hostedDomain, ...names } = claimsOf(told)
  return {
    ...claims,
    ...(claims.email === undefined && { email, emailVerified, hostedDomain }),
    firstName: claims.firstName ?? names.firstName,
    lastName: claims.lastName ?? names.lastName,
  }
}

const claimsOf = (payload: Record<string, unknown>): Claims => {
  const [first, ...rest] = textOf(payload.name).slice(0, 400).split(/\s+/)
  return {
    subject: payload.sub as string,
    email: emailOf(payload),
    emailVerified: payload.email_verified === true || payload.email_verified === 'true',
    hostedDomain: typeof payload.hd === 'string',
    firstName: nameOf(payload.given_name) ?? nameOf(first),
    lastName: nameOf(payload.family_name) ?? nameOf(rest.join(' ')),
  }
}
