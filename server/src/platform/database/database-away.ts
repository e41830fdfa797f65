/** Of the system, below the database's own words. */
const connectionCode = /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/
/** Of a socket in a directory: while its database starts anew it is not there, and a crowd fills the line before it. */
const socketCode = /^E(NOENT|AGAIN)$/
/**
 * Of PostgreSQL: 08 connection lost, 25006 a standby, 53 no room on disk, in memory or for connections, 57P it was ended
 * or is starting, 58030 a disk that fails, 55P03 whoever holds a row does not let go, as while a commit waits for its standby.
 */
const serverCode = /^(08...|25006|53...|55P03|57P0[1-5]|58030)$/
/** The pool and its client say these without a code. */
const words =
  /^(timeout (exceeded|expired)|Connection terminated|Client (has encountered a connection error|was closed)|no host of DATABASE_URL)/

/** Somebody held a row for as long as anybody waits: whoever waits for the same row would wait in vain, too. */
export const waitedInVain = (fault: unknown): boolean => (fault as { code?: unknown } | null)?.code === '55P03'

/** Whether the database could not serve just now, whatever it was asked: worth another try later, and no fault of ours. */
export const isDatabaseAway = (fault: unknown): boolean => {
  const { code = '', message = '', syscall } = (fault ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown }
  return (
    connectionCode.test(String(code)) ||
    (syscall === 'connect' && socketCode.test(String(code))) ||
    serverCode.test(String(code)) ||
    words.test(String(message))
  )
}
