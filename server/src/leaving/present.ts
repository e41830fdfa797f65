import type { AccountExport } from '@afterglow/contract/leaving'
import type { z } from 'zod'
import type { Urls } from '../platform/http/urls.ts'
import type { ExportRow } from './exports-store.ts'

export const presentExport = (row: ExportRow, urls: Urls): z.output<typeof AccountExport> => ({
  id: row.id,
  export_state: row.state,
  export_url: row.media_id === null ? null : urls.media(row.media_id, 'export', 0),
  export_bytes: row.bytes,
  export_expires_at: row.expires_at.toISOString(),
  created_at: row.created_at.toISOString(),
})
