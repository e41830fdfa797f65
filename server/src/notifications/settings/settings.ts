import { localeOf } from '@afterglow/contract/languages'
import { sentence } from '@afterglow/contract/words'
import { noteLanguage } from '../../accounts/sessions/sessions.ts'
import { type Db, transact } from '../../platform/database/database.ts'
import { invalid } from '../../platform/http/refusals.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import * as store from './settings-store.ts'

type SettingsChange = {
  mutedUntil: Date | undefined
  quiet: { from: number; until: number } | undefined
  ringsPerHour: number | undefined
  mailsDigest: boolean | undefined
  language: string | undefined
}

/** Updates the viewer's notification settings. What quiet hours held is evaluated again. */
export const changeSettings = (db: Db, viewer: Viewer, wish: SettingsChange) =>
  transact(db, async tx => {
    await requireFuture(tx, wish.mutedUntil)
    await store.saveSettings(tx, viewer.id, {
      muted_until: wish.mutedUntil ?? null,
      quiet_from: wish.quiet?.from ?? null,
      quiet_until: wish.quiet?.until ?? null,
      rings_per_hour: wish.ringsPerHour ?? null,
      mails_digest: wish.mailsDigest,
    })
    const language = wish.language === undefined ? undefined : localeOf(wish.language)
    if (language) await noteLanguage(tx, viewer.deviceRow, language)
    const devices = await store.holdingDevices(tx, viewer.id)
    if (devices.length > 0) await addJob(tx, 'endQuiet', { devices })
  })

/** How much of an event the viewer wants to hear; the caller checks who may see the event. */
export const changeEventSettings = (db: Db, viewer: Viewer, eventId: number, wish: store.EventSettingsChange) =>
  transact(db, async tx => {
    await requireFuture(tx, wish.mutedUntil)
    await store.saveEventSettings(tx, viewer.id, eventId, wish)
    return store.readEventSettings(tx, viewer.id, eventId)
  })

export const eventSettings = (db: Db, viewer: Viewer, eventId: number) =>
  store.readEventSettings(db, viewer.id, eventId)

const requireFuture = async (db: Db, at: Date | undefined) => {
  if (at && !(await store.isFuture(db, at))) invalid('muted_until', sentence.future)
}
