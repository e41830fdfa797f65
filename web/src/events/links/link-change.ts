import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sayFailure } from '../../ui/failure.ts'
import { type EventLink, linksQuery } from './links-queries.ts'

/** Changes one link, and shows the event's links as they are then. */
export const useLinkChange = (
  { id, event_id }: EventLink,
  change: (input: { link_id: number }) => Promise<unknown>,
  onChanged?: () => void,
) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => change({ link_id: id }),
    onSuccess: () => {
      onChanged?.()
      return client.invalidateQueries({ queryKey: linksQuery(event_id).queryKey })
    },
    onError: sayFailure,
  })
}
