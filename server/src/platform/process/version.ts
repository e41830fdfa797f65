import manifest from '../../../../package.json' with { type: 'json' }

/** The version of this Afterglow, such as 0.1.0. */
export const { version } = manifest
