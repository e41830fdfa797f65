import { totalmem } from 'node:os'

/** An eighth of the machine's memory: a page that is missing is fetched from the system's cache, at some µs each. */
function sharedBuffersMiB() {
  return Math.round(Math.min(2048, Math.max(128, totalmem() / 8 / 2 ** 20)))
}

export const baseSettings = [
  // No port, which anybody could take after a crash: a socket that only its owner can reach. Relative to the cluster,
  // where PostgreSQL runs, because parent directories may be inaccessible to its user.
  'listen_addresses=',
  'unix_socket_directories=../socket',
  'unix_socket_permissions=0700',
  'port=5432',
  'max_connections=100',
  `shared_buffers=${sharedBuffersMiB()}MB`,
  'random_page_cost=1.1',
  'max_logical_replication_workers=0',
  'jit=off',
  'fsync=on',
  'synchronous_commit=on',
  'timezone=UTC',
  'log_timezone=UTC',
  // Its log is only about its own state. Failed statements are ours to report; in its log they would contain e-mail
  // addresses and messages.
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_checkpoints=off',
  'cluster_name=afterglow',
]
