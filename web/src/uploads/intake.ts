import { kindOf } from '@afterglow/sdk/files'
import { t } from '../app/words.ts'
import { say } from '../ui/layers/toasts.ts'
import { noteFolder } from './folders.ts'

/* Files that are dropped, pasted or chosen as a folder. */

export type Intake = {
  /** Files named explicitly, whatever they are, and the photos and videos in folders. */
  files: File[]
  /** Everything else in folders. */
  others: number
}

export const ofFolder = (all: Iterable<File>): Intake => {
  const taken: Intake = { files: [], others: 0 }
  for (const file of all) take(taken, file)
  return taken
}

const take = (taken: Intake, file: File) => {
  if (kindOf(file)) taken.files.push(file)
  else taken.others += 1
}

/**
 * The contents of a transfer, with folders at any depth. Dropped items can only be read during the event: start at
 * once.
 */
export const ofTransfer = async ({ items, files }: DataTransfer): Promise<Intake> => {
  const dropped = [...items].filter(({ kind }) => kind === 'file')
  const entries = dropped.map(item => ({ entry: item.webkitGetAsEntry?.(), file: item.getAsFile() }))
  if (entries.length === 0) return { files: [...files], others: 0 }
  const taken: Intake = { files: [], others: 0 }
  for (const { entry, file } of entries) {
    if (entry?.isDirectory) await walk(entry as FileSystemDirectoryEntry, taken)
    else if (file) taken.files.push(file)
  }
  return taken
}

const walk = async (folder: FileSystemDirectoryEntry, taken: Intake) => {
  const folders: FileSystemDirectoryEntry[] = []
  const reader = folder.createReader()
  for (;;) {
    // A hundred at a time, until there are none. An unreadable folder does not affect the others.
    const some = await new Promise<FileSystemEntry[]>(resolve =>
      reader.readEntries(resolve, () => {
        taken.others += 1
        resolve([])
      }),
    )
    if (some.length === 0) break
    for (const entry of some) {
      if (entry.isDirectory) folders.push(entry as FileSystemDirectoryEntry)
      // Decided by its name alone: of fifty thousand other files, none is opened.
      else if (!kindOf(entry)) taken.others += 1
      else
        await fileOf(entry as FileSystemFileEntry).then(
          file => {
            noteFolder(file, folder.fullPath)
            take(taken, file)
          },
          () => (taken.others += 1),
        )
    }
  }
  for (const each of folders) await walk(each, taken)
}

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject))

/** Says which files of a folder are left out. */
export const sayOthers = ({ files, others }: Intake) => {
  if (others === 0 && files.length > 0) return
  say(files.length === 0 ? t('drop.none') : t('drop.others', { count: others }))
}

/** Opens the folder chooser. */
export const chooseFolder = (): Promise<Intake> =>
  new Promise(resolve => {
    const input = Object.assign(document.createElement('input'), { type: 'file', webkitdirectory: true })
    // Referenced by the page until it returns, or the browser could garbage-collect it.
    input.hidden = true
    document.body.append(input)
    const answer = () => {
      input.remove()
      resolve(ofFolder(input.files ?? []))
    }
    input.onchange = answer
    input.oncancel = answer
    input.click()
  })
