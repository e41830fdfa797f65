import { z } from 'zod'
import { IdNumber, shape, Timestamp, Url } from '../words.ts'

export const userStatus = { active: 1, unverified: 2, suspended: 3, erasing: 4, guest: 5 } as const
export const ownAccount = 1

const person = {
  id: IdNumber,
  user_first_name: z.string(),
  user_middle_name: z.string().nullable(),
  user_last_name: z.string(),
}

export const SeenUser = shape('SeenUser', { ...person, user_avatar_url: Url })

const minimal = {
  ...person,
  user_username: z.string(),
  user_avatar_url: Url,
  user_visible: z.enum(['0', '1']),
}
export const MinimalUser = shape('MinimalUser', minimal)
export const MinimalUserWithFriend = shape('MinimalUserWithFriend', { ...minimal, friend: z.boolean() })

export const Account = shape('Account', {
  ...person,
  user_username: z.string(),
  user_email: z.string(),
  user_avatar_url: Url,
  user_visible: z.boolean(),
  user_status: z
    .int()
    .describe(
      '1 active, 2 e-mail not verified (everything works), 3 suspended, 4 scheduled for deletion, 5 guest via link.',
    ),
  user_timezone: z.string(),
  subscription_plan: z.strictObject({
    subscription_plan_title: z.string().describe('Name of the plan.'),
    subscription_plan_pricing: z.number().describe('Price of the plan.'),
    subscription_plan_expiration: Timestamp.describe('When the plan expires.'),
  }),
  user_login_options: z.array(
    z.strictObject({
      user_id: IdNumber,
      user_login_option_type: z.int(),
      user_login_option_unique_identifier: z.string(),
      user_login_option_name: z.string(),
    }),
  ),
  user_settings: z.strictObject({ user_setting_mute_notification: z.boolean() }).describe('Account settings.'),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const AuthenticatedAccount = shape('AuthenticatedAccount', {
  user: Account,
  token: z.string(),
  token_expiration: Timestamp.describe('When the token expires.'),
})
