import type { ChangePresenters } from '../channel/payloads.ts'

/** That an answer changed: whoever may see it reads it. */
export const planShowing: ChangePresenters = {
  'answer.updated': async (_, changes, recipientsOf) =>
    new Map(
      changes.map(change => [
        change.id,
        [
          {
            payload: { event_id: change.event_id, user_id: change.subject_id },
            to: recipientsOf(change).map(({ id }) => id),
          },
        ],
      ]),
    ),
}
