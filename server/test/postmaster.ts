import { livingPostmaster } from '../src/platform/embedded-database/postmaster.ts'

/** The one that runs over this cluster, to be killed: of none, a pid of 0 would mean ourselves and all around us. */
export const postmasterOver = (cluster: string) => {
  const living = livingPostmaster(cluster)
  if (!living) throw new Error(`No PostgreSQL runs over ${cluster}.`)
  return living
}
