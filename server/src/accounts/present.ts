import type { Device } from '@afterglow/contract/accounts/sessions'
import { type Account, userStatus } from '@afterglow/contract/accounts/user'
import type { z } from 'zod'
import type { Urls } from '../platform/http/urls.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Person } from './persons.ts'
import { avatarUrl, presentMinimalUser } from './present-person.ts'
import type { listDevices } from './sessions/sessions-store.ts'
import type { AccountRow } from './store.ts'

export type AccountPresentation = {
  /** Names of the login option types. */
  labelOf(type: number): string
  /** Without outgoing mail, nobody can verify an address, so an unverified account is usable. */
  sendsMail: boolean
}

export const presentAccount = (
  row: AccountRow,
  urls: Urls,
  { labelOf, sendsMail }: AccountPresentation,
): z.output<typeof Account> => ({
  id: row.id,
  user_first_name: row.first_name,
  user_middle_name: row.middle_name,
  user_last_name: row.last_name,
  user_username: row.username,
  user_email: row.email,
  user_avatar_url: avatarUrl(row, urls, 'display'),
  user_visible: row.visible,
  user_status: row.status === userStatus.unverified && !sendsMail ? userStatus.active : row.status,
  user_timezone: row.timezone,
  subscription_plan: {
    subscription_plan_title: row.plan_title,
    subscription_plan_pricing: row.plan_pricing,
    subscription_plan_expiration: row.plan_expires_at.toISOString(),
  },
  user_login_options: row.login_options.map(option => ({
    user_id: row.id,
    user_login_option_type: option.type,
    user_login_option_unique_identifier: option.identifier,
    user_login_option_name: labelOf(option.type),
  })),
  user_settings: { user_setting_mute_notification: row.mutes_notifications },
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

type DeviceRow = Awaited<ReturnType<typeof listDevices>>[number]

type Seen = { viewer: Viewer; active: boolean; letInBy: Person | undefined }

export const presentDevice = (
  row: DeviceRow,
  { viewer, active, letInBy }: Seen,
  urls: Urls,
): z.output<typeof Device> => ({
  device_id: row.device_id,
  user_device_platform: row.platform,
  user_timezone: row.timezone,
  current: row.id === viewer.deviceRow,
  active,
  let_in_by: letInBy ? presentMinimalUser(letInBy, urls) : null,
  last_used_at: row.last_used_at.toISOString(),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
