import { ours } from '../public-path.ts'
import { readKept } from './storage.ts'

/* This browser's requests to an organizer to sign in again as a guest, by link. */

export type AskedReturn = { returnCode: string; name: string; eventId: number }

const placeOf = (code: string) => `${ours}.asked.${code}`

export const askedReturn = (code: string) => readKept<AskedReturn>(localStorage.getItem(placeOf(code)))
export const saveAskedReturn = (code: string, asked: AskedReturn) =>
  localStorage.setItem(placeOf(code), JSON.stringify(asked))
export const forgetAskedReturn = (code: string) => localStorage.removeItem(placeOf(code))
