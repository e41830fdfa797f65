import type * as contract from '@afterglow/contract/leaving'
import { operation } from './operation.ts'

export const exportAccount = operation<typeof contract.exportAccount>('POST', 'api/account/export')
export const listExports = operation<typeof contract.listExports>('GET', 'api/account/export/list')
export const readExport = operation<typeof contract.readExport>('GET', 'api/account/export/{account_export_id}')
export const deleteAccount = operation<typeof contract.deleteAccount>('DELETE', 'api/account')
