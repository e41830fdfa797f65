/** The start is refused for a reason its operator can act on: the message is the one sentence to print, without a stack. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}
