import { z } from 'zod'
import { Count, Url } from './words.ts'

/** The sizes of a shared picture besides its full size, in `extra`. */
export const shownPicture = {
  /**
   * At most 2048 px, for display on screens. Appending `&w=1280` gives a smaller one for phones, `&w=1280&as=avif` the
   * same as AVIF where that saves a third; until they are made, it is this one.
   */
  screen_url: Url.describe(
    'The photo in a size for screens, at most 2048 × 2048 px. Appending &w=1280 gives a smaller one for phones, &w=1280&as=avif the same as AVIF where that saves a third; until they are made, it is this one.',
  ),
  /**
   * In full resolution, without metadata; for a video, the MP4. Null for what was uploaded before there were full sizes,
   * until it is made; `screen_url` is then the largest size.
   */
  original: z
    .strictObject({
      url: Url,
      bytes: Count,
      width: z.int().positive(),
      height: z.int().positive(),
      /** File name for saving: the name on the uploader's device, with a matching extension. */
      name: z.string(),
      type: z.string(),
      exact: z
        .boolean()
        .describe('Whether these are the uploaded pixels in the uploaded format; false if they had to be re-encoded.'),
    })
    .nullable(),
  /** The uploaded file ended before its picture: it is shown as far as it goes. */
  incomplete: z.boolean(),
}
