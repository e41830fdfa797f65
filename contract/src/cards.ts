/* Content that other slices attach to messages: `chats.ts` shows it in `extra` without knowing what it is. */
import { z } from 'zod'
import { Count, IdNumber, shape, Timestamp } from './words.ts'

/** A poll. Its message's text is the question with the choices below, for clients that know nothing of polls. */
export const Poll = shape('Poll', {
  poll_question: z.string().describe('The question.'),
  poll_choices: z
    .array(
      z.strictObject({
        id: IdNumber.describe('Position among the choices of the poll: 1, 2, 3 …'),
        poll_choice: z.string().describe('Text of the choice.'),
        votes_count: Count.describe('How many people chose it.'),
      }),
    )
    .describe('What people choose from.'),
  poll_multiple: z.boolean().describe('Whether one may vote for several choices.'),
  poll_anonymous: z.boolean().describe('Whether nobody sees who voted for what.'),
  poll_closes_at: Timestamp.nullable().describe(
    'When voting ends or has ended; null: as long as the chat is open. Its author and organizers may close it before.',
  ),
  voters_count: Count.describe('How many people voted.'),
  my_choice_ids: z.array(IdNumber).describe('What the viewer voted for.'),
})

export const Card = z.strictObject({
  poll: Poll.optional().describe('A poll: the text of the message is the question, with the choices below it.'),
})
