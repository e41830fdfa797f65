import type Mail from 'nodemailer/lib/mailer'

export type Letter = {
  subject: string
  text: string
  html: string
  /** A POST to this URL ends mails of its kind (RFC 8058). */
  unsubscribe?: string
}

/** The library takes 23 MiB and comes with the first mail. */
export const load = () => import('nodemailer')

/** No auto-responder may answer, and nothing in a letter may name a file or URL to fetch. */
export const composed = (from: string, to: string, { subject, text, html, unsubscribe }: Letter): Mail.Options => ({
  from,
  // An object: a string would be parsed for further addresses.
  to: { name: '', address: to },
  subject,
  text,
  html,
  headers: {
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    ...(unsubscribe && oneClick(unsubscribe)),
  },
  disableFileAccess: true,
  disableUrlAccess: true,
})

const oneClick = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})
