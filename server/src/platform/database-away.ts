/** Of the system, below the database's own words. */
const connectionCode = /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/
/**
 * Of PostgreSQL: 08 connection lost, 25006 a standby, 53 no room on disk, in memory or for connections, 57P it was ended
 * or is starting, 58030 a disk that fails.
 */
const serverCode = /^(08...|25006|53...|57P0[1-5]|58030)$/
/** The pool and its client say these without a code. */
const words = /^(timeout exceeded when trying to connect|Connection terminated|no host of DATABASE_URL)/

/** Whether the database could not serve just now, whatever it was asked: worth another try later, and no fault of ours. */
export const isDatabaseAway = (fault: unknown): boolean => {
  const { code = '', message = '' } = (fault ?? {}) as { code?: unknown; message?: unknown }
  return connectionCode.test(String(code)) || serverCode.test(String(code)) || words.test(String(message))
}
