import { z } from 'zod'
import {
  deviceIdLengthMax,
  passwordLengthMax,
  passwordLengthMin,
  personNameLengthMax,
  platformLengthMax,
  usernameLengthMax,
  usernameLengthMin,
} from '../limits.ts'
import { count, matching, sentence, shortText, Timezone, text } from '../words.ts'
import { ownAccount } from './user.ts'

const pageAddress = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}\//iu
const addressIn = (words: string) => words.split(/\s+/).find(word => pageAddress.test(word))
/** Names and announcements are sent by mail and push, so they must not contain a web address. */
export const withoutAddress = <Text extends z.ZodType<string>>(text: Text) =>
  text.refine(words => addressIn(words) === undefined, {
    error: ({ input }) => sentence.pageAddress((addressIn(String(input)) ?? '').slice(0, 60)),
  })
export const PersonName = withoutAddress(shortText(personNameLengthMax))
export const Username = matching(/^[A-Za-z0-9._-]+$/, usernameLengthMax, usernameLengthMin)
export const NewPassword = text(passwordLengthMax, passwordLengthMin)
/** The value of `user_password`, depending on the login option: a password for a local account, an ID token for a provider. */
export const NewPasswordOrIdToken = z.string(sentence.string).meta({ minLength: passwordLengthMin })

type PasswordFields = Partial<
  Record<'user_login_option_type' | 'user_password' | 'user_password_confirmation', unknown>
>

/**
 * The login option type alone decides which of the two it is: judging by the value's form would exempt `a.b.c` from the
 * password rules. What a provider requires is checked once it is known to be one of ours.
 */
export const faultOfNewPassword = (asked: PasswordFields): string | undefined => {
  if ((asked.user_login_option_type ?? ownAccount) !== ownAccount) return undefined
  const { user_password: password } = asked
  if (password === undefined) return sentence.required
  if (typeof password !== 'string') return undefined
  const [wrong] = NewPassword.safeParse(password).error?.issues ?? []
  if (wrong) return wrong.message
  return password.normalize() === String(asked.user_password_confirmation).normalize()
    ? undefined
    : sentence.confirmation
}
/** Checked even if other fields are invalid, so that one answer names them all. */
export const newPasswordChecked = {
  path: ['user_password'],
  error: ({ input }: { input?: unknown }) => faultOfNewPassword(input as PasswordFields),
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}

/** Any text sent as an existing password. Its length is not validated, as that would tell an attacker something. */
export const KnownPassword = z.string(sentence.string)
export const DeviceId = text(deviceIdLengthMax)
const Platform = shortText(platformLengthMax).transform(platform => platform.toLowerCase())
export const LoginOptionType = count(1, 1_000_000)
/** 32 random bytes, or their SHA-256, as base64url. */
export const ProviderSecret = matching(/^[\w-]+$/, 128, 43)

export const deviceFields = { device_id: DeviceId, user_timezone: Timezone, user_device_platform: Platform }
