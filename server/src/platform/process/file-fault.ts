/** System errors about a file that the operator can fix. */
const reasons: Record<string, string> = {
  EACCES: 'this user may not: run the command as the service’s user, or name a place where it may',
  EPERM: 'this user may not: run the command as the service’s user, or name a place where it may',
  EROFS: 'that file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  ENOTDIR: 'part of the path is no directory',
  EISDIR: 'it is a directory',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EIO: 'the disk reports errors',
}
const writing = /^(mkdir|write|fsync|rename|link|unlink|rmdir|chmod|chown|copyfile|truncate|ftruncate)/

/** The sentence for a file that cannot be read or written; undefined for any other fault. */
export function fileFault(fault: unknown): string | undefined {
  const { code = '', path, syscall = '' } = (fault ?? {}) as NodeJS.ErrnoException
  // A missing file may be a bug of ours; if a directory cannot be created, the path is at fault.
  const reason = code === 'ENOENT' && syscall === 'mkdir' ? 'nothing can be made there' : reasons[code]
  if (reason === undefined || syscall === '') return undefined
  return `${path ?? 'A file'} cannot be ${writing.test(syscall) ? 'written' : 'used'}: ${reason} (${code}).`
}
