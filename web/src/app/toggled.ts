/** A choice of several, with one more or without it. */
export const toggled = <Id>(chosen: ReadonlySet<Id>, id: Id): ReadonlySet<Id> => {
  const now = new Set(chosen)
  if (!now.delete(id)) now.add(id)
  return now
}
