import { methodsOf } from '@afterglow/sdk/methods'
import * as operations from '@afterglow/sdk/operations/people'
import { connection } from '../app/client.ts'

/** Apart from the others, as guests of one event hardly need them: 0.6 KB that their first pages do without. */
export const peopleApi = methodsOf(connection, operations)
