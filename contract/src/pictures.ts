import { z } from 'zod'
import { Count, Url } from './words.ts'

/** What a picture that is shown to several has beside its full size, for `extra`. */
export const shownPicture = {
  /** Within 2048 px: what a screen draws. */
  screen_url: Url,
  /**
   * As it was uploaded, pixel by pixel, without its metadata, in the type that it came in; of a film the MP4. Null for a file
   * whose structure cannot be followed: then `screen_url` is the largest that there is.
   */
  original: z
    .strictObject({
      url: Url,
      bytes: Count,
      width: z.int().positive(),
      height: z.int().positive(),
      /** For saving it: what its uploader's device called it, with an ending that fits. */
      name: z.string(),
      type: z.string(),
    })
    .nullable(),
}
