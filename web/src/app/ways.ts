import { methodsOf } from '@afterglow/sdk/methods'
import * as links from '@afterglow/sdk/operations/links'
import * as providers from '@afterglow/sdk/operations/providers'
import { connection } from './client.ts'

/** Operations of the ways in, by a link or a provider: only the pages of those need them. */
export const ways = { links: methodsOf(connection, links), providers: methodsOf(connection, providers) }
