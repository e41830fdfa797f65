import { GiveUp } from '../jobs/jobs.ts'

/** A mail is retried every quarter of an hour until its content is outdated, however often that is. */
export const mailLimits = { tries: 1_000, retryMinutes: 15 }

/** Gives up a mail that could not be sent in time. The operator learns its kind, and nobody its address. */
export const demandFresh = (about: string, askedAt: number, hours: number): void => {
  if (Date.now() - askedAt > hours * 3_600_000)
    throw new GiveUp(`a mail (${about}) could not be sent within ${hours} hours`, { about })
}
