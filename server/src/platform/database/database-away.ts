/** System errors, below the database's own. */
const connectionCode = /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/
/** For a socket in a directory: while its database restarts it is missing, and a crowd fills the queue before it. */
const socketCode = /^E(NOENT|AGAIN)$/
/**
 * PostgreSQL's codes: 08 connection lost, 25006 a standby, 25P03 we were silent in a transaction, 53 out of disk, memory
 * or connections, 55P03 a row lock that is not released, as while a commit waits for its standby, 57P terminated or
 * starting, 58 an error or a missing file of the disk, 42501 also a file system that has become read-only, XX001 and
 * XX002 a page that the disk gave back damaged.
 */
const serverCode = /^(08...|25006|25P03|53...|55P03|57P0[1-5]|58...|42501|XX00[12])$/
/** The pool and its client report these without a code. */
const words =
  /^(timeout (exceeded|expired)|Connection terminated|Client (has encountered a connection error|was closed)|no host of DATABASE_URL)/

/** A row was locked for the maximum wait: others waiting for the same row would also wait in vain. */
export const waitedInVain = (fault: unknown): boolean => (fault as { code?: unknown } | null)?.code === '55P03'

/**
 * Tells whether the database was temporarily unavailable, whatever the statement: worth retrying later, and not a bug
 * of ours.
 */
export const isDatabaseAway = (fault: unknown): boolean => {
  const { code = '', message = '', syscall, early } = (fault ?? {}) as Record<string, unknown>
  return (
    connectionCode.test(String(code)) ||
    (syscall === 'connect' && socketCode.test(String(code))) ||
    serverCode.test(String(code)) ||
    // A statement that was canceled before its time: by an operator, or because the database's clock has jumped.
    early === true ||
    words.test(String(message))
  )
}
