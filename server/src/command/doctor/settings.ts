import { settings } from '../../settings/config.ts'
import { type Setting, withoutPassword } from '../../settings/setting.ts'
import type { GivenSettings } from '../../settings/settings-file.ts'

export type SettingInEffect = { setting: string; value: string; from: string }

/** Every setting as the service reads it, and where it comes from; for secrets only whether they are set. */
export function settingsInEffect({ env, file, inFile }: GivenSettings): SettingInEffect[] {
  const numbered = Object.keys(env).filter(name => /^OPENID_[1-9]\d_/.test(name) && !(name in settings))
  return [...Object.keys(settings), ...numbered.sort()].map(setting => {
    const known: Setting<unknown> | undefined =
      settings[setting.replace(/^OPENID_\d\d_/, 'OPENID_10_') as keyof typeof settings]
    const text = env[setting]?.trim() || undefined
    const from = text === undefined ? 'default' : inFile.has(setting) && file ? file : 'environment'
    const shown = known?.secret && text ? '(hidden)' : withoutPassword(text ?? known?.default ?? '')
    return { setting, value: shown || '-', from }
  })
}
