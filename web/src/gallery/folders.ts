/* In which folder a file lay: a browser tells it of a chosen folder, and of a dropped one only while that is walked. */

const folders = new WeakMap<File, string>()

export const noteFolder = (file: File, folder: string) => void folders.set(file, folder)

export const folderOf = (file: File): string =>
  folders.get(file) ?? (file.webkitRelativePath ?? '').replace(/[^/]*$/, '')
