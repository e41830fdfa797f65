import { ours } from '../public-path.ts'

/** The ID of the user who receives pushes in this browser: the next user to sign in decides anew. */
export const pushPlace = `${ours}.push`
