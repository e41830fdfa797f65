import type * as contract from '@afterglow/contract/privacy'
import { operation } from './operation.ts'

export const exportAccount = operation<typeof contract.exportAccount>('POST', 'api/account/export')
export const listExports = operation<typeof contract.listExports>('GET', 'api/account/export/list')
export const readExport = operation<typeof contract.readExport>('GET', 'api/account/export/{account_export_id}')
export const deleteAccount = operation<typeof contract.deleteAccount>('DELETE', 'api/account')
export const readSeenSettings = operation<typeof contract.readSeenSettings>('GET', 'api/account/seen')
export const saveSeenSettings = operation<typeof contract.saveSeenSettings>('POST', 'api/account/seen')
