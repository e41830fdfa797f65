import { livingPostmaster } from '../src/platform/embedded-database/postmaster.ts'

/** The postmaster of this cluster, to be killed: a pid of 0 would mean this process and its whole group. */
export const postmasterOver = (cluster: string) => {
  const living = livingPostmaster(cluster)
  if (!living) throw new Error(`No PostgreSQL runs over ${cluster}.`)
  return living
}
