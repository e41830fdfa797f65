import { z } from 'zod'
import { linkKinds } from '../capabilities.ts'
import { linkPinLengthMax, linkPinLengthMin } from '../limits.ts'
import { asciiDigits } from '../normalization.ts'
import { sentence, text } from '../words.ts'

/**
 * `guest`: joins the event. `drop`: adds photos under a name and sees no others. `look`: sees the album without a name
 * or an account. `screen`: shows the photos on the wall of a venue, without a person behind it.
 */
export const LinkKind = z.enum(linkKinds, sentence.selected)
/** Shared by all resources that show a link. */
export const kindFields = {
  link_kind: LinkKind.describe('What the link makes of a person who opens it.'),
  link_asks: z
    .boolean()
    .describe('Whether people only ask to join by it: the link made with an event, while that is by invitation only.'),
  link_shows_chat: z.boolean().describe('Whether a link that makes nobody a guest also shows the chat, to read.'),
}

export const photographerField = {
  link_photographer: z.boolean().describe('Whether it is for the photographer, who may add many photos.'),
}

/** A code, or a short one however it was typed. */
export const LinkCode = text(64)
/** Digits only, so that a phone's number pad is enough. */
export const LinkPin = text(linkPinLengthMax, linkPinLengthMin)
  .transform(asciiDigits)
  .refine(pin => /^[0-9]+$/.test(pin), sentence.format)
  .meta({ type: 'string', minLength: linkPinLengthMin, maxLength: linkPinLengthMax, pattern: '^[0-9]+$' })
