/** A user as everybody else may see them. */
export type Person = {
  id: number
  first_name: string
  middle_name: string | null
  last_name: string
  username: string
  visible: boolean
  avatar_media_id: number | null
}

/** What a row has of the person whom it names, who is read with it: a statement of their own would be one more round trip. */
export type PersonBeside = Omit<Person, 'id'>
export const personOf = (row: PersonBeside, id: number): Person => ({
  id,
  first_name: row.first_name,
  middle_name: row.middle_name,
  last_name: row.last_name,
  username: row.username,
  visible: row.visible,
  avatar_media_id: row.avatar_media_id,
})

/** How an erased account is shown, and so whoever a reader may not see: the two must not be told apart. */
export const nobody = (id: number): Person => ({
  id,
  first_name: 'Deleted',
  middle_name: null,
  last_name: 'user',
  // No username and no e-mail that somebody may choose has a tilde, so this is nobody else's ever.
  username: `deleted~${id}`,
  visible: false,
  avatar_media_id: null,
})
