import type { Words } from './words.ts'

export const english: Words = {
  direction: 'ltr',
  greeting: name => `Hello ${name},`,
  codeLabel: 'Your code',
  footer: 'You get this mail because somebody entered this address at Afterglow.',
  verifyEmail: () => ({
    subject: 'Please confirm your e-mail address',
    paragraphs: ['confirm that this address is yours with the code below. It is good for one day.'],
    action: 'Confirm the address',
  }),
  resetPassword: () => ({
    subject: 'Your new password',
    paragraphs: [
      'somebody asked for a new password for your account. With the code below you can set one within the next half hour.',
      'If it was not you, there is nothing to do: without the code nothing changes.',
    ],
    action: 'Set a new password',
  }),
  passwordChanged: () => ({
    subject: 'Your password was changed',
    paragraphs: [
      'the password of your account was changed just now, and your other devices were signed out.',
      'If it was not you, set a new password at once by “Forgotten password”.',
    ],
  }),
  emailChanged: () => ({
    subject: 'Your e-mail address was changed',
    paragraphs: [
      'your account now uses another e-mail address; this one no longer signs you in.',
      'If it was not you, please write at once to whoever runs this service.',
    ],
  }),
  loginOptionAdded: ({ provider }) => ({
    subject: 'There is a new way to sign in to your account',
    paragraphs: [
      `from now on ${provider} signs you in as well.`,
      'If it was not you, change your password and remove this way in the settings.',
    ],
  }),
  invitation: ({ inviter, event }) => ({
    subject: `${inviter} invites you to ${event}`,
    paragraphs: [`${inviter} invites you to ${event}: to its chat and its photos. You need no account to look in.`],
    action: 'Open the invitation',
  }),
}
