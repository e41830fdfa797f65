import { type VideoState, videoReasons } from '@afterglow/contract/photo'
import type { z } from 'zod'

/** A row of `videos v`, or none. */
export type FilmRow = {
  state: string | null
  progress: number | null
  duration_ms: number | null
  fault: string | null
}

const reasons: Record<string, string> = videoReasons

/** The progress of converting a photo's or an attachment's film; null if there is no film. */
export const presentFilm = (
  { state, progress, duration_ms, fault }: FilmRow,
  stillUrl: string,
): z.output<typeof VideoState> | null =>
  state === null
    ? null
    : {
        state: state as z.output<typeof VideoState>['state'],
        progress: progress ?? 0,
        duration_ms,
        poster_url: stillUrl,
        reason: fault === null ? null : (reasons[fault] ?? videoReasons['gave-up']),
      }
