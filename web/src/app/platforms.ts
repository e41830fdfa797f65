import { t } from './words.ts'

const names: Record<string, string> = { android: 'Android', ios: 'iOS' }

/** What a device runs, as people call it; clients may say it in words of their own. */
export const platformOf = (platform: string): string =>
  platform === 'web' ? t('devices.browser') : (names[platform] ?? platform)
