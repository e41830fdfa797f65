export type Person = {
  id: number
  user_first_name: string
  user_middle_name: string | null
  user_last_name: string
  user_username?: string
  user_avatar_url: string
}

type Named = Pick<Person, 'user_first_name' | 'user_middle_name' | 'user_last_name'>

export const nameOf = ({ user_first_name, user_middle_name, user_last_name }: Named): string =>
  [user_first_name, user_middle_name, user_last_name].filter(Boolean).join(' ')
