import type { Read } from './provider-settings.ts'
import { mailbox, orNull, type Setting, smtpUrl, WrongSetting } from './setting.ts'

export type MailSettings = {
  /** null: mails are written to files. */
  smtpUrl: string | null
  /** Mails are sent, so addresses can be verified. */
  provesAddresses: boolean
  from: string
}

export const mailSettings = {
  SMTP_URL: {
    default: '',
    meaning: 'the mail server that mails leave by; unset: they are written to DATA_DIR/mail',
    allowed: 'a URL like smtps://user:password@mail.party.example:465',
    form: orNull(smtpUrl),
  },
  MAIL_FROM: {
    default: '',
    meaning: 'sender of mails; needed with SMTP_URL',
    allowed: 'an address, or a name with one: Party <party@party.example>',
    form: orNull(mailbox),
  },
} satisfies Record<string, Setting<unknown>>

export function readMail(read: Read): MailSettings {
  const url = read('SMTP_URL', mailSettings.SMTP_URL)
  const from = read('MAIL_FROM', mailSettings.MAIL_FROM)
  if (url && !from) throw new WrongSetting('SMTP_URL needs MAIL_FROM beside it: mail servers refuse mails of nobody.')
  return { smtpUrl: url, provesAddresses: url !== null, from: from ?? 'Afterglow <afterglow@localhost>' }
}
