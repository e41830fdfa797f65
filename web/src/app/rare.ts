import { methodsOf } from '@afterglow/sdk/methods'
import * as announcements from '@afterglow/sdk/operations/announcements'
import * as privacy from '@afterglow/sdk/operations/privacy'
import * as recovery from '@afterglow/sdk/operations/recovery'
import * as returns from '@afterglow/sdk/operations/returns'
import * as transfers from '@afterglow/sdk/operations/transfers'
import { connection } from './client.ts'

/** Operations that no first page needs: only code loaded later, or pages that few visit, imports them. */
export const rare = {
  announcements: methodsOf(connection, announcements),
  privacy: methodsOf(connection, privacy),
  recovery: methodsOf(connection, recovery),
  returns: methodsOf(connection, returns),
  transfers: methodsOf(connection, transfers),
}
