import { GiveUp } from '../jobs/jobs.ts'

/** A mail is tried until it no longer says what is true, however often that is, and every quarter of an hour. */
export const mailLimits = { tries: 1_000, retryMinutes: 15 }

/** Gives a mail up that could not be sent in time. The operator learns its kind, and nobody its address. */
export const demandFresh = (about: string, askedAt: number, hours: number): void => {
  if (Date.now() - askedAt > hours * 3_600_000)
    throw new GiveUp(`a mail (${about}) could not be sent within ${hours} hours`, { about })
}
