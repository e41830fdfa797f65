/** Adds an item to a selection, or removes it. */
export const toggled = <Id>(chosen: ReadonlySet<Id>, id: Id): ReadonlySet<Id> => {
  const now = new Set(chosen)
  if (!now.delete(id)) now.add(id)
  return now
}
