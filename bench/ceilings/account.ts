import Fastify from 'fastify'
import { pool, serveOn } from './ceiling.ts'

/** A bare Fastify with one route: a user by primary key, sent as the row comes. */
const db = pool()
const server = Fastify()
server.get<{ Params: { id: string } }>('/account/:id', async ({ params }) => {
  const { rows } = await db.query({ name: 'user', text: 'select * from users where id = $1', values: [params.id] })
  return rows[0]
})
await serveOn(server)
