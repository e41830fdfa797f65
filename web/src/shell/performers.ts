import type { Performers } from '../app/storage/pending-acts.ts'

/** Every kind of act, and the code that performs it on any page: a kind without its row does not compile. */
export const performers: Performers = {
  like: () => import('../gallery/acts.ts').then(({ like }) => like),
  comment: () => import('../gallery/acts.ts').then(({ comment }) => comment),
  commentReaction: () => import('../gallery/acts.ts').then(({ commentReaction }) => commentReaction),
  messageReaction: () => import('../chats/reaction-act.ts').then(({ messageReaction }) => messageReaction),
  vote: () => import('../chats/vote-act.ts').then(({ keptVote }) => keptVote),
  joinAnswer: () => import('../events/guests/join-answer-act.ts').then(({ joinAnswer }) => joinAnswer),
  answer: () => import('../plans/answer-act.ts').then(({ keptAnswer }) => keptAnswer),
}
