/* Generated from the contract by `npm run documents`. */
import type * as wall from '@afterglow/contract/wall'
import { operation } from '../operation.ts'

export const markForWall = operation<typeof wall.markForWall>('POST', 'api/event/wall/photo')
export const readWall = operation<typeof wall.readWall>('GET', 'api/event/wall/{event_id}')
export const saveWall = operation<typeof wall.saveWall>('POST', 'api/event/wall')
export const sayShown = operation<typeof wall.sayShown>('POST', 'api/event/wall/shown')
