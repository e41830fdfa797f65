import { workerData } from 'node:worker_threads'
import { askerOf } from './http.ts'

/* Clients of one chat, each of whom writes as fast as it is answered, until this thread is ended. */

const { url, chatId, tokens }: { url: string; chatId: number; tokens: string[] } = workerData
const { ask } = askerOf(() => url, undefined, tokens.length)
for (const token of tokens) void write(token)

async function write(token: string): Promise<never> {
  for (let nth = 0; ; nth++) {
    const form = { group_chat_id: chatId, message_content: `message ${nth}` }
    await ask('POST', 'api/message', { token, form }).catch(() => {})
  }
}
