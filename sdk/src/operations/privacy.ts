/* Generated from the contract by `npm run documents`. */
import type * as privacy from '@afterglow/contract/privacy'
import { operation } from '../operation.ts'

export const deleteAccount = operation<typeof privacy.deleteAccount>('DELETE', 'api/account')
export const exportAccount = operation<typeof privacy.exportAccount>('POST', 'api/account/export')
export const listExports = operation<typeof privacy.listExports>('GET', 'api/account/export/list')
export const readExport = operation<typeof privacy.readExport>('GET', 'api/account/export/{account_export_id}')
export const readSeenSettings = operation<typeof privacy.readSeenSettings>('GET', 'api/account/seen')
export const saveSeenSettings = operation<typeof privacy.saveSeenSettings>('POST', 'api/account/seen')
