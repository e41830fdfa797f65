import type { ChangePresenters } from '../channel/payloads.ts'

/** Announces that an answer changed; people who may see it read it. */
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
