import type { Words } from './words.ts'

export const spanish: Words = {
  direction: 'ltr',
  greeting: name => `Hola, ${name}:`,
  codeLabel: 'Tu código',
  footer: 'Recibes este correo porque alguien indicó esta dirección en Afterglow.',
  verifyEmail: () => ({
    subject: 'Confirma tu dirección de correo',
    paragraphs: ['Confirma que esta dirección es tuya con el código de abajo. Vale durante un día.'],
    action: 'Confirmar la dirección',
  }),
  resetPassword: () => ({
    subject: 'Tu nueva contraseña',
    paragraphs: [
      'Alguien ha pedido una contraseña nueva para tu cuenta. Con el código de abajo puedes elegirla durante la próxima media hora.',
      'Si no fuiste tú, no hace falta que hagas nada: sin el código nada cambia.',
    ],
    action: 'Elegir una contraseña nueva',
  }),
  passwordChanged: () => ({
    subject: 'Se ha cambiado tu contraseña',
    paragraphs: [
      'La contraseña de tu cuenta acaba de cambiar y se ha cerrado la sesión en tus demás dispositivos.',
      'Si no fuiste tú, elige enseguida una contraseña nueva con «He olvidado mi contraseña».',
    ],
  }),
  emailChanged: () => ({
    subject: 'Se ha cambiado tu dirección de correo',
    paragraphs: [
      'Tu cuenta usa ahora otra dirección de correo; con esta ya no puedes entrar.',
      'Si no fuiste tú, escribe enseguida a quien lleva este servicio.',
    ],
  }),
  loginOptionAdded: ({ provider }) => ({
    subject: 'Hay una nueva forma de entrar en tu cuenta',
    paragraphs: [
      `Desde ahora también puedes entrar con ${provider}.`,
      'Si no fuiste tú, cambia tu contraseña y quita esta forma de entrar en los ajustes.',
    ],
  }),
  invitation: ({ inviter, event }) => ({
    subject: `${inviter} te invita a ${event}`,
    paragraphs: [
      `${inviter} te invita a ${event}: a su chat y a sus fotos. Para echar un vistazo no necesitas cuenta.`,
    ],
    action: 'Abrir la invitación',
  }),
}
