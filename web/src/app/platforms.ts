import { t } from './words.ts'

const names: Record<string, string> = { android: 'Android', ios: 'iOS' }

/** The platform of a device by its usual name; clients may use their own words. */
export const platformOf = (platform: string): string =>
  platform === 'web' ? t('devices.browser') : (names[platform] ?? platform)
