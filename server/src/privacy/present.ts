import type { AccountExport } from '@afterglow/contract/privacy'
import type { z } from 'zod'
import type { Urls } from '../platform/http/urls.ts'
import type { ExportRow } from './exports-store.ts'

/** `proven`: the caller has recently re-authenticated. */
export const presentExport = (
  row: ExportRow,
  urls: Urls,
  { proven }: { proven: boolean },
): z.output<typeof AccountExport> => ({
  id: row.id,
  export_state: row.state,
  export_url: row.media_id === null || !proven ? null : urls.media(row.media_id, 'export', row.epoch, 'zip'),
  export_bytes: row.bytes,
  export_expires_at: row.expires_at.toISOString(),
  created_at: row.created_at.toISOString(),
})
