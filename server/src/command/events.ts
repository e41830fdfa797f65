import { type Command, InvalidArgumentError } from 'commander'
import * as events from '../events/members/operators.ts'
import type { Database } from '../platform/database/database.ts'
import { columns, NotDone } from './answer.ts'
import type { OnDatabase } from './users.ts'

const id = (value: string) => {
  if (!/^[1-9]\d{0,15}$/.test(value)) throw new InvalidArgumentError('Give a whole number.')
  return Number(value)
}
const statuses = ['listed', 'unlisted', 'cancelled', 'deleted', 'erased']
const status = (value: string) => {
  if (!statuses.includes(value)) throw new InvalidArgumentError(`Give one of ${statuses.join(', ')}.`)
  return value
}

const find = async (db: Database, eventId: number) => {
  const found = await events.findEvent(db, eventId)
  if (!found) throw new NotDone(`There is no event ${eventId}.`)
  return found
}

export function eventsCommands(program: Command, onDatabase: OnDatabase): void {
  const group = program.command('events').description('list events and decide on them')

  group
    .command('list')
    .description('events, the newest first')
    .option('--status <status>', `only those that are ${statuses.join(', ')}`, status)
    .option('--search <text>', 'only those with this in their name')
    .option('--before <id>', 'go on below this id', id)
    .option('--most <number>', 'how many', id, 50)
    .action(({ status, search, before, most }) =>
      onDatabase(async db => {
        const rows = await events.listEvents(db, { status, text: search, before, most })
        return { say: columns(rows, 'No events.'), json: rows }
      }),
    )

  group
    .command('show')
    .description('one event')
    .argument('<id>', 'of the event', id)
    .action(eventId =>
      onDatabase(async db => {
        const event = await find(db, eventId)
        const rows = Object.entries(event).map(([field, value]) => ({ field, value }))
        return { say: columns(rows, ''), json: event }
      }),
    )

  const act = (
    name: string,
    description: string,
    { work, done, undone }: { work: (db: Database, id: number) => Promise<boolean>; done: string; undone: string },
  ) =>
    group
      .command(name)
      .description(description)
      .argument('<id>', 'of the event', id)
      .action(eventId =>
        onDatabase(async db => {
          await find(db, eventId)
          const changed = await work(db, eventId)
          const event = await find(db, eventId)
          return { say: `Event ${eventId} ${changed ? done : undone}`, json: { done: true, event } }
        }),
      )

  act('unlist', 'show it to nobody who is not in it, and let nobody in; its organizers are told', {
    work: events.unlistEvent,
    done: 'is out of the lists; its organizers are told.',
    undone: 'is out already, or deleted.',
  })
  act('restore', 'undo unlisting or deleting it', {
    work: events.restoreEvent,
    done: 'is back; whom it concerns is told.',
    undone: 'is neither unlisted nor deleted, or was erased.',
  })
  act('delete', 'delete it for everybody, who are told; restore brings it back for thirty days', {
    work: events.deleteEvent,
    done: 'is deleted; everybody in it is told. It can be restored for thirty days.',
    undone: 'is deleted already.',
  }).requiredOption('--yes', 'really')
}
