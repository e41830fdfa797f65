import { type Reason, reasons } from '@afterglow/contract/reasons'

export const everyReason = Object.entries(reasons).map(([code, made]): Reason => {
  if (typeof made !== 'function') return made
  const make = made as (...values: unknown[]) => Reason
  if (code === 'notTaken') return make(0.2)
  if (code === 'ringsUsed') return make(6, new Date(0))
  if (code.endsWith('Until')) return make(new Date(0))
  if (make.length === 1) return make(code === 'givenUp' ? 8 : code === 'triedAgain' ? 30 : 'browser')
  return make('googleSignIn', 503)
})
