/* What only a phone has. */
import AsyncStorage from '@react-native-async-storage/async-storage'
import { File } from 'expo-file-system'
import { launchImageLibraryAsync } from 'expo-image-picker'
import { getDevicePushTokenAsync, requestPermissionsAsync } from 'expo-notifications'
import * as secrets from 'expo-secure-store'
import { Platform } from 'react-native'
import type { Device, Session, Texts } from './party'

export const texts: Texts = AsyncStorage

const sessionName = 'afterglow.session'
export const keptSession = async (): Promise<Session | undefined> => {
  const text = await secrets.getItemAsync(sessionName)
  return text === null ? undefined : (JSON.parse(text) as Session)
}
export const keepSession = (session: Session) => secrets.setItemAsync(sessionName, JSON.stringify(session))
export const forgetSession = () => secrets.deleteItemAsync(sessionName)

/** The same at every sign-in, so that a device has one session. */
export const thisDevice = async (): Promise<Device> => {
  const name = 'afterglow.device'
  let id = await texts.getItem(name)
  if (id === null) {
    id = `${Platform.OS}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
    await texts.setItem(name, id)
  }
  return { id, platform: Platform.OS, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}

/** A photo of the phone's, read piece by piece; undefined when none was chosen. */
export const choosePhoto = async () => {
  const chosen = await launchImageLibraryAsync({ mediaTypes: ['images'], quality: 1 })
  const [asset] = chosen.assets ?? []
  if (!asset) return undefined
  const file = new File(asset.uri)
  return {
    name: asset.fileName ?? 'photo.jpg',
    size: file.size,
    // The picker copies what is chosen, so that its name alone would not tell it from another.
    mark: file.info({ md5: true }).md5 ?? asset.uri,
    async read(start: number, end: number) {
      const handle = file.open()
      try {
        handle.offset = start
        return handle.readBytes(end - start)
      } finally {
        handle.close()
      }
    },
  }
}

/** Undefined where pushes are not wanted, and in simulators. */
export const pushToken = async (): Promise<string | undefined> => {
  const { granted } = await requestPermissionsAsync()
  if (!granted) return undefined
  const token = await getDevicePushTokenAsync().catch(() => undefined)
  return typeof token?.data === 'string' ? token.data : undefined
}
