import { verify } from '@node-rs/argon2'
import { given, workWhenAsked } from './ceiling.ts'
import { inParallel } from './parallel.ts'

/** Nothing but password checks, one on each of two cores. */
const { hash = '', password = '' } = given
workWhenAsked(seconds =>
  inParallel(2, seconds, async () => {
    if (!(await verify(hash, password))) throw new Error('the password is wrong')
  }),
)
