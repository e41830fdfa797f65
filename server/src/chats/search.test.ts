import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import type { Member } from '../../test/cast.ts'
import { bringIn, evening, party } from '../../test/party.ts'
import { notFound, refusal, says } from '../../test/refused.ts'

const app = await openTestApp()
const { olivia, gus, sam, remy, gwen, chatId, otherEvent } = await party(app)

const send = async (message_content: string, who: Member = gus, group_chat_id = chatId) =>
  Number((await who.api.chats.saveMessage({ group_chat_id, message_content })).id)
const find = async (text: string, who: Member = gus, group_chat_id: number | undefined = chatId) => {
  const { data } = await who.api.chats.searchMessages({ text, group_chat_id, page: 1, page_length: 20 })
  return data.map(message => message.message_content)
}

const texts = [
  'Who brings the chocolate CAKE?',
  'Crème brûlée at José’s, straße 7',
  'Don’t forget: mail bob@example.com or see https://photos.example/lake-side',
  '明日の会議は東京タワーです',
  '我们在公园见面',
  'Встречаемся у Большого театра',
  'نلتقي عند الساعة الثامنة',
  'ฉันชอบดอกไม้',
  '오늘 저녁에 만나요',
  '100% sure_thing \\ back',
  'はなこのケーキ',
  'ガーデン party 🎉🎂',
  'with love ❤️ from 🇪🇸',
]
for (const text of texts) await send(text)

test.each([
  ['cake', 0],
  ['choc', 0],
  ['CHOCOLATE c', 0],
  ['creme brulee', 1],
  ['CRÈME', 1],
  ['jose', 1],
  ['strasse', 1],
  ['dont forg', 2],
  ['don’t', 2],
  ['example', 2],
  ['lake-side', 2],
  ['bob@exa', 2],
  ['会議', 3],
  ['東京タワー', 3],
  ['公园', 4],
  ['большого теат', 5],
  ['الساعة', 6],
  ['ดอกไม้', 7],
  ['저녁', 8],
  ['100%', 9],
  ['sure_th', 9],
  ['ハナコ', 10],
  ['はなこ', 10],
  ['けーき', 10],
  ['ｹｰｷ', 10],
  ['がーでん', 11],
  ['🎉', 11],
  ['🎉🎂', 11],
  ['party 🎂', 11],
  ['❤', 12],
  ['❤️', 12],
  ['🇪🇸', 12],
])('search finds %s, whatever case, accents and script', async (text, at) => {
  expect(await find(text)).toEqual([texts[at]])
})

test.each([
  'cake brulee',
  'akes',
  'ocolate',
  '議会',
  '会東',
  '🎃',
  '🎂🎉',
  'cake 🎉',
  'コナハ',
  '!!!',
  "'",
  "\\' | :*",
  '&|!():*<->',
])('search for %s finds nothing, and does not fail', async text => {
  expect(await find(text)).toEqual([])
})

test('an edited message is found by its new words only, and a deleted one not at all', async () => {
  const id = await send('pistachio')
  await gus.api.chats.saveMessage({ group_chat_id: chatId, message_id: id, message_content: 'vanilla' })
  expect([await find('pistachio'), await find('vanilla')]).toEqual([[], ['vanilla']])
  await gus.api.chats.deleteMessage({ message_id: id })
  expect(await find('vanilla')).toEqual([])
})

test('search without a chat covers all of the viewer’s chats, newest first, and nobody else’s', async () => {
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, id, gus)
  await send('zebra one', gus)
  await send('zebra two', gus, group_chat_id)
  await send('zebra three', gus)
  await send('zebra elsewhere', gwen, otherEvent.group_chat_id)
  const list = async (who: Member, page: number, page_length: number) =>
    who.extra.chats.searchMessages({ text: 'zebra', page, page_length })
  const names = ({ data }: Awaited<ReturnType<typeof list>>) => data.map(message => message.message_content)
  expect(names(await list(gus, 1, 10))).toEqual(['zebra three', 'zebra two', 'zebra one'])
  expect([names(await list(gus, 1, 2)), names(await list(gus, 2, 2))].flat()).toHaveLength(3)
  expect((await list(gus, 1, 2)).next_page_url).not.toBeNull()
  expect([names(await list(gwen, 1, 10)), names(await list(sam, 1, 10))]).toEqual([['zebra elsewhere'], []])
  expect(await find('zebra', gus, group_chat_id)).toEqual(['zebra two'])
})

test('search in a chat that the viewer is not in is refused', async () => {
  for (const outsider of [sam, remy, gwen])
    expect(await refusal(find('cake', outsider))).toEqual(
      says('The user is neither a guest nor an organizer of the event'),
    )
  expect(await refusal(find('cake', gus, 999_999))).toEqual(notFound('Group chat not found!'))
})

test('search covers a long chat from its newest message back, over every block', async () => {
  const { id, group_chat_id } = await olivia.api.events.saveEvent(evening())
  await bringIn(olivia, id, gus)
  await sql`
    insert into messages (group_chat_id, sequence, user_id, content, created_at, updated_at)
    select ${group_chat_id}, s, ${gus.id}, case when s % 5000 = 1 then 'needle ' || s else 'hay' end, now(), now()
    from generate_series(1, 20001) s`.execute(app.db)
  await sql`update group_chats set last_sequence = 20001 where id = ${group_chat_id}`.execute(app.db)
  expect(await find('needle', gus, group_chat_id)).toEqual([20001, 15001, 10001, 5001, 1].map(at => `needle ${at}`))
  const common = (page: number) => gus.api.chats.searchMessages({ text: 'hay', group_chat_id, page, page_length: 100 })
  expect((await common(10)).data).toHaveLength(100)
  expect((await common(11)).data).toEqual([])
})
