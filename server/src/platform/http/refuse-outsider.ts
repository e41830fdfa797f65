import type { RefusalCode } from '@afterglow/contract/refusal-codes'
import { NotForLink, refuse } from './refusals.ts'

/** The refusals of operations for people outside the event. */
const outside = [
  ...['notInEvent', 'mayNotUpload', 'mayNotComment', 'mayNotReact', 'mayNotReadComments', 'mayNotAdd'],
  ...['notOrganizer', 'notOwner', 'mayNotDeletePhoto', 'mayNotDelete'],
] as RefusalCode[]

/** For somebody to whom a link gives less than this operation: the operation's own refusal, if it has one for them. */
export const refuseOutsider = ({ refusals = {} }: { refusals?: object }): never => {
  const code = outside.find(each => each in refusals)
  if (code !== undefined) return refuse(code)
  throw new NotForLink('The link that you came by is not for this.')
}
