import { ours } from '../public-path.ts'

/** The ID of the user for whom pushes in this browser are: the next user to sign in decides anew. */
export const pushPlace = `${ours}.push`
