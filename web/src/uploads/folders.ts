/* The folder a file was in: a browser reports it for a chosen folder, but for a dropped one only while scanning it. */

const folders = new WeakMap<File, string>()

export const noteFolder = (file: File, folder: string) => void folders.set(file, folder)

export const folderOf = (file: File): string =>
  folders.get(file) ?? (file.webkitRelativePath ?? '').replace(/[^/]*$/, '')
