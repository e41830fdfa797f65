export const wallKey = (eventId: number) => ['wall', eventId] as const
