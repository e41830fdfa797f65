import type { Words } from './words.ts'

export const german: Words = {
  direction: 'ltr',
  greeting: name => `Hallo ${name},`,
  codeLabel: 'Dein Code',
  footer: 'Du bekommst diese Mail, weil jemand diese Adresse bei Afterglow angegeben hat.',
  verifyEmail: () => ({
    subject: 'Bitte bestätige deine E-Mail-Adresse',
    paragraphs: ['bestätige mit dem Code unten, dass diese Adresse dir gehört. Er gilt einen Tag lang.'],
    action: 'Adresse bestätigen',
  }),
  resetPassword: () => ({
    subject: 'Dein neues Passwort',
    paragraphs: [
      'jemand hat für dein Konto ein neues Passwort angefordert. Mit dem Code unten kannst du es in der nächsten halben Stunde setzen.',
      'Warst du das nicht, ist nichts zu tun: ohne den Code ändert sich nichts.',
    ],
    action: 'Neues Passwort setzen',
  }),
  passwordChanged: () => ({
    subject: 'Dein Passwort wurde geändert',
    paragraphs: [
      'das Passwort deines Kontos wurde gerade geändert, und deine anderen Geräte wurden abgemeldet.',
      'Warst du das nicht, setze sofort über „Passwort vergessen“ ein neues.',
    ],
  }),
  emailChanged: () => ({
    subject: 'Deine E-Mail-Adresse wurde geändert',
    paragraphs: [
      'dein Konto hat jetzt eine andere E-Mail-Adresse; mit dieser kannst du dich nicht mehr anmelden.',
      'Warst du das nicht, schreibe bitte sofort denen, die diesen Dienst betreiben.',
    ],
  }),
  loginOptionAdded: ({ provider }) => ({
    subject: 'Dein Konto hat eine neue Anmeldung',
    paragraphs: [
      `ab jetzt kannst du dich auch mit ${provider} anmelden.`,
      'Warst du das nicht, ändere dein Passwort und entferne diese Anmeldung in den Einstellungen.',
    ],
  }),
  invitation: ({ inviter, event }) => ({
    subject: `${inviter} lädt dich ein: ${event}`,
    paragraphs: [
      `${inviter} lädt dich zu ${event} ein: in den Chat und zu den Fotos. Zum Hineinschauen brauchst du kein Konto.`,
    ],
    action: 'Einladung öffnen',
  }),
}
